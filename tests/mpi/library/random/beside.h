/* The things that a random program has beside its messages and collectives: windows, and files. An epoch of a
 * window, and a call of a file, begins in one round and ends in a later one: messages, collectives, other
 * windows and other files go on meanwhile. */

#ifndef BESIDE_H
#define BESIDE_H

#include "random.h"

struct window;
struct file;

/* Make one for the ranks of a communicator, of which it keeps a copy. */
struct window *window_make(const struct world *w);
struct file *file_make(const struct world *w, const char *folder);

/* Begin something in this round; or, if something has begun, end it, and compare. */
void window_step(struct window *v, int round);
void file_step(struct file *f, int round);

/* End what has begun, compare all of it, and free it. */
void window_end(struct window *v, int round);
void file_end(struct file *f, int round);

#endif
