/* The checks of a network. Each ends the program if it fails. */

#ifndef TEST_NET_CHECKS_H
#define TEST_NET_CHECKS_H

#include "company.h"

/* Packets of all lengths come once each, whole and in order, from several members at once. */
void check_order(struct company *company);

/* Members write to each other's memory. */
void check_writes(struct company *company);

/* A member that sleeps is woken, and not without need. */
void check_sleep(struct company *company);

/* Packets that were sent before an endpoint is closed arrive. */
void check_close(struct company *company);

/* The rules of the network within one process: time, order, and room. */
void check_rules(struct company *company);

/* A link that is cut. */
void check_cut(struct company *company);

/* The range of ports, the network interface, and the library, of libfabric. */
void check_ports(struct company *company);
void check_interface(struct company *company);
void check_library(struct company *company);

#endif
