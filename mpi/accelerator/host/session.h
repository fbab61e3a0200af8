/* Sessions, by which Linux shares processors out (autogroup, sched(7)): a processor that is given away goes
 * only to a process of the same session. MPICH's launcher starts each rank in a session of its own; the
 * accelerator, which is loaded into the launcher, too, keeps them in the launcher's session. */

#ifndef UNO_SESSION_H
#define UNO_SESSION_H

/* Move a rank that need not share its processor to a session of its own, as its launcher would have done:
 * beside other programs it then gets a greater share of the processors. */
void uno_session_leave(void);

#endif
