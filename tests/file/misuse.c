/* Programs that break a rule of <papers/file.h>; as tests/conformance/misuse.c. */

#include "misuse.h"

#include <papers/file.h>
#include <stdio.h>

#include "harness.h"

static char byte;

static void other_file(int me) {
    p_open(me ? "/dev/null" : "/dev/zero", "r");
}

static void other_mode(int me) {
    p_open("/dev/null", me ? "r" : "w");
}

static void no_mode(int me) {
    p_open("/dev/null", me ? "r" : "rw");
}

static void no_path(int me) {
    p_open(me ? "/dev/null" : NULL, "r");
}

static void other_number(int me) {
    int a = p_open("/dev/null", "w"), b = p_open("/dev/null", "w");
    p_write(me ? a : b, &byte, 1);
}

static void other_function(int me) {
    int f = p_open("/dev/null", "w");
    if (me)
        p_read(f, &byte, 1);
    else
        p_write(f, &byte, 1);
}

static void other_group(int me) {
    int f = p_open("/dev/null", "w");
    p_enqueue((uint64_t)1 << me);
    p_write(f, &byte, 1);
}

static void other_place(int me) {
    p_seek(p_open("/dev/null", "r"), me, SEEK_SET);
}

static void no_place(int me) {
    p_seek(p_open("/dev/null", "r"), me, 7);
}

static void no_number(int me) {
    p_read(me ? 0 : 3, &byte, 1);
}

static void closed(int me) {
    (void)me;
    int f = p_open("/dev/null", "r");
    p_close(f);
    p_close(f);
}

static void no_data(int me) {
    p_write(p_open("/dev/null", "w"), me ? &byte : NULL, 1);
}

const struct misuse misuses[] = {
    {"other-file",
     2,
     other_file,
     0,
     {"p_open: mismatch: PE ", "open different files, or in different modes"}},
    {"other-mode",
     2,
     other_mode,
     0,
     {"p_open: mismatch: PE ", "open different files, or in different modes"}},
    {"no-mode", 2, no_mode, 0, {"p_open: the mode is \"rw\"; there are \"r\", \"r+\" and \"w\""}},
    {"no-path", 2, no_path, 0, {"p_open: a null pointer for the path"}},
    {"other-number", 2, other_number, 0, {"p_write: mismatch: PE ", "call it for different files"}},
    {"other-function", 2, other_function, 0, {"mismatch", "p_read", "p_write"}},
    {"other-group", 2, other_group, 0, {"p_write: a file of group {0-1} is used in group {"}},
    {"other-place", 2, other_place, 0, {"p_seek: mismatch: PE ", "go to different places"}},
    {"no-place", 2, no_place, 0, {"p_seek: 7 is none of SEEK_SET, SEEK_CUR and SEEK_END"}},
    {"no-number", 2, no_number, 0, {"p_read: there is no open file of number "}},
    {"closed", 2, closed, 0, {"p_close: there is no open file of number 0"}},
    {"no-data", 2, no_data, 0, {"p_write: a null pointer for data"}},
};
const int misuse_count = sizeof misuses / sizeof *misuses;
