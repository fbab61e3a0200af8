/* Sessions, by which Linux shares processors out (autogroup, sched(7)): a processor that is given away goes
 * only to a process of the same session. MPICH's launcher starts each rank in a session of its own; the
 * accelerator, which is loaded into that, too, keeps them in its one. */

#ifndef UNO_SESSION_H
#define UNO_SESSION_H

/* A rank that need not share its processor goes to a session of its own after all, as its launcher would have
 * it: beside other programs it then gets more of the processors. */
void uno_session_leave(void);

#endif
