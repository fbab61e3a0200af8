/* A file of a random program: calls that write it, or read it, by views of which no two ranks have the same
 * words, or by the pointer that they share. Every rank keeps what a serial program would have written. */

#ifndef FILES_H
#define FILES_H

#include "beside.h"

#include <stdbool.h>

enum { MOST_WORDS = 2000, ROOM = 1 << 17 };

enum way { AT, AT_ALL, OWN, OWN_ALL, SHARED, ORDERED, WAYS };
enum begun { NOW, ASKED, IN_TWO, BEGINNINGS };

/* The part of each rank in a call: `n` words from word `at` of its view on. */
struct view {
    int start, period; /* in words; SHARED and ORDERED: of one rank after the other */
    int begins[MOST_RANKS], length[MOST_RANKS]; /* of each rank's words in a period */
    int at[MOST_RANKS], n[MOST_RANKS];
};

struct file {
    struct world w; /* of the call, with a copy of the file's communicator */
    MPI_File handle;
    word *model;
    int end; /* words that it has */
    bool open, writes;
    enum way way;
    enum begun begun;
    struct view view;
    word *data; /* of the call, `step` words apart */
    int step;
    MPI_Datatype type, filetype;
    MPI_Request request;
    MPI_Status status;
};

/* Begin and end the call that has been drawn. */
void file_begin_call(struct file *f);
void file_end_call(struct file *f);

#endif
