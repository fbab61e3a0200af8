/* vertex.h - messages between PEs: the two interfaces of the NCUBE's Vertex.
 *
 * Names and meanings are those of T. N. Mudge, G. D. Buzzard and T. S. Abdel-Rahman, "A High Performance
 * Operating System for the NCUBE", Hypercube Multiprocessors 1987. A node is a PE of papers.h, by the same
 * number; a program checks in by p_init (or runs in p_team) and out by p_exit, and may mix messages with the
 * aggregates of papers.h as it likes.
 *
 *     int main(void)
 *     {
 *         p_init();
 *         int n = p_nproc(), me = p_iproc(), from = NANY, type = NANY, data = me;
 *         nwrite(&data, sizeof data, (me + 1) % n, 7);
 *         nread(&data, sizeof data, &from, &type);
 *         printf("node %d read %d from node %d\n", me, data, from);
 *         return p_exit(0);
 *     }
 *
 * Every name begins with n, as nwrite, nread and ntest do in the paper. Its send is nsend here, and so on,
 * since send is a function of <sys/socket.h> in every C library; the paper's calls without a name (node and
 * dimension, time, switching, broadcast) follow the same rule.
 *
 * Errors (a node that does not exist, a message longer than the room for it, a broken rule of the extended
 * protocol, waiting for a node that was killed or has left) end the whole job with a message on standard
 * error that names the nodes, and exit status 1. So no function returns an error code. */

#ifndef VERTEX_H
#define VERTEX_H

#include <papers.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- who and when ----------------------------------------------------------------------------------------
 * Neither communicates. */

/* Write this node's number, and the dimension d of the cube that the job's 2^d nodes form; -1 if their number
 * is no power of two (messages work nevertheless). Either pointer may be NULL. */
void nwhoami(int *node, int *dimension);

/* Return the nanoseconds since this node checked in. */
uint64_t ntime(void);

/* ---- the standard interface ------------------------------------------------------------------------------
 * Any node may send to any node, itself included. A message has any length from 0, and a type, a number from
 * 0 by which the program tells messages apart. Between two nodes, messages of the same type are read in the
 * order in which they were written. None is lost.
 *
 * Where a message waits until it is read. Short ones lie in memory that the two nodes share, some dozens or
 * hundreds of them for each pair of nodes. Messages that do not fit there the writer copies into a buffer
 * pool of its own and delivers later: at every call of this interface, while it waits in any operation (of
 * papers.h too), and in p_exit. When the pool is full, nwrite waits until there is room. While it waits it
 * takes in the messages of other nodes, into unbounded memory, so nodes that write to each other never
 * deadlock.
 *
 * A node that computes for long without a call delivers nothing meanwhile, since there is no helper thread;
 * npoll is such a call. */

enum { NANY = -1 }; /* any node, any type */

/* Write a message of `bytes` bytes and the given type to a node. Returns when the data have been copied, so
 * that they may be changed. It may wait for the reader as described above. */
void nwrite(const void *data, size_t bytes, int node, int type);

/* Read a message from *node of type *type, either of which may be NANY, and of any length up to `room` bytes
 * (a longer one is an error; ntest and nprobe return the length beforehand). It waits for the message.
 * Returns its length in bytes, and sets *node and *type to those of the message. A NULL pointer stands for
 * NANY, and nothing is set. */
ssize_t nread(void *data, size_t room, int *node, int *type);

/* Return the length of the message that nread with the same arguments would find now, and set *node and *type
 * to its node and type; -1 if there is none. It does not wait, and the message stays. */
ssize_t ntest(int *node, int *type);

/* As ntest, but wait until there is such a message. The message stays. */
ssize_t nprobe(int *node, int *type);

/* Take in messages that have come and deliver those that wait, as far as possible without waiting. */
void npoll(void);

/* Bound this node's buffer pool to so many bytes (64 MB unless this is called). A message that is longer than
 * the pool is written all the same: nwrite then waits for its reader. */
void npool(size_t bytes);

/* ---- the extended interface ------------------------------------------------------------------------------
 * This interface is faster, for programs that know all communication beforehand. It works on a channel, which
 * joins two nodes, after both have switched it; other channels stay as they are. There is no handshake: for
 * every nsend the receiver must have called nrcvreq beforehand, with exactly the same length. The k-th
 * message sent goes to the k-th receive requested; there are no types. There are no buffers, where the
 * receiver's data are in memory that the sender reaches: from nalloc, or the memory of one process whose
 * threads are the nodes; or, from 16 KB on, any memory of another process, where the kernel allows that
 * (process_vm_writev). Then nsend copies straight to it, once.
 *
 * nsend, nrcvreq and nbcast do not wait. Each sets *flag to 0, and it becomes 1 when the sent data may be
 * changed, or the received data are there. That happens within calls of this library on the same thread:
 * nwait, npoll, any other of this interface, or waiting in an operation of papers.h. Until then data and flag
 * must stay where they are, and the program must not use the flag otherwise. At most NPENDING requests to
 * receive may be open on a channel at a time.
 *
 * Misuse is an error that names both nodes: lengths that differ; a message that was there before it was
 * requested ("beforehand" is for the program to ensure: by the order of its messages, or by p_wait); a
 * standard message on an extended channel, or the reverse. */

enum { NPENDING = 16 };

/* Allocate memory that all nodes reach: the fastest place for data to be received. It is aligned to a cache
 * line, and its content is undefined. NULL if there is no room (all nodes together have about 64 GB, in equal
 * parts, whatever memory the machine has). The node that allocated it frees it; otherwise it lasts until the
 * job ends. */
void *nalloc(size_t bytes);
void nfree(void *data);

/* Switch this node's end of the channel to the given node to the extended protocol, or back to the standard
 * one. Neither waits nor communicates. All standard messages of the channel must have been read before it is
 * extended, and all extended ones be complete before it is standard again; a program ensures that the other
 * end has switched before it sends, for instance by p_wait. */
void nextend(int node);
void nstandard(int node);

/* Send `bytes` bytes of data to the node. */
void nsend(const void *data, size_t bytes, int node, int *flag);

/* Request that the next message from the node, of exactly `bytes` bytes, be put into data. */
void nrcvreq(void *data, size_t bytes, int node, int *flag);

/* Send the same data to a set of neighbours in one action: to node XOR 2^d for each bit d that is set in
 * dimensions. Their channels must be extended, and each of them must have requested it by nrcvreq. */
void nbcast(const void *data, size_t bytes, unsigned dimensions, int *flag);

/* Wait until *flag, of one of the functions above, is 1. */
void nwait(const int *flag);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
