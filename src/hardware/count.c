/* A plugin of qemu's user mode that counts the instructions of each thread, for uno_count:
 * qemu-x86_64 -plugin count.so PROGRAM. qemu translates a program block by block, and calls the plugin when a
 * block is translated, when it is entered, and at each system call. A thread of the program is a thread of
 * qemu, so a count for each is kept without a table. An instruction that raises a signal within a block, and
 * the rest of its block, are counted again when they are executed again.
 *
 * Debian's packages lack the header of the plugin's interface; what is declared here is what this one needs,
 * after https://www.qemu.org/docs/master/devel/tcg-plugins.html. */

#include "engine/count.h"

#include <stddef.h>

struct qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void translated_function(uint64_t id, struct qemu_plugin_tb *block);
typedef void entered_function(unsigned processor, void *data);
typedef void called_function(uint64_t id, unsigned processor, int64_t call, uint64_t, uint64_t, uint64_t,
                             uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
enum { REGISTERS_UNUSED = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated_function *function);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, called_function *function);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, entered_function *function, int flags,
                                          void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction, entered_function *function,
                                            int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *instruction);
/* Since version 2 of the interface. */
void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(void) __attribute__((weak));

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int qemu_plugin_version = 1;
EXPORTED int qemu_plugin_install(uint64_t id, const struct qemu_info_t *info, int arguments, char **argument);

/* qemu before 9.0 refuses a plugin for version 2, and later ones a plugin for version 1. The functions above
 * are the same in both. */
__attribute__((constructor)) static void choose_version(void) {
    if (qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu)
        qemu_plugin_version = 2;
}

enum { PAGE = 4096, LONGEST = 15 }; /* bytes of a page, and of an instruction */

static bool begun;                   /* a block has been translated, when the program had one thread */
static uint64_t base;                /* the program's address 0 in this process */
static _Thread_local uint64_t count; /* of this thread */

static void entered(unsigned processor, void *instructions) {
    (void)processor;
    count += (uintptr_t)instructions;
}

/* qemu before 9.0 includes an instruction of x86 that crosses the end of a page in the number of a block, and
 * then leaves it out, with what was registered for it, for the next block to begin with it. So the last one
 * of a block is counted by itself where it may be such a one. */
static void translated(uint64_t id, struct qemu_plugin_tb *block) {
    (void)id;
    size_t n = qemu_plugin_tb_n_insns(block);
    if (!n)
        return;
    struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(block, n - 1);
    if (n > 1 && qemu_plugin_insn_vaddr(last) % PAGE > PAGE - LONGEST) {
        qemu_plugin_register_vcpu_insn_exec_cb(last, entered, REGISTERS_UNUSED, (void *)(uintptr_t)1);
        n--;
    }
    qemu_plugin_register_vcpu_tb_exec_cb(block, entered, REGISTERS_UNUSED, (void *)(uintptr_t)n);
    if (!begun)
        base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(last) - qemu_plugin_insn_vaddr(last);
    begun = true;
}

static void called(uint64_t id, unsigned processor, int64_t call, uint64_t to, uint64_t b, uint64_t c,
                   uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    (void)id, (void)processor, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (call == UNO_COUNT_CALL)
        *(uint64_t *)(uintptr_t)(base + to) = count;
}

int qemu_plugin_install(uint64_t id, const struct qemu_info_t *info, int arguments, char **argument) {
    (void)info, (void)arguments, (void)argument;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
