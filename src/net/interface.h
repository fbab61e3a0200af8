/* The network interfaces of this machine, and the address by which others reach it. */

#ifndef UNO_NET_INTERFACE_H
#define UNO_NET_INTERFACE_H

#include "net.h"

#include <sys/socket.h>

enum { UNO_ADDRESS_TEXT = 64 };

/* Find the address of an interface: `wish` is its name ("eth0"), an address of it ("10.0.0.7") or the network
 * that it is in ("10.0.0.0/24"). NULL or "": the interface that other machines most likely reach, which is
 * the loopback only if there is no other. Returns 0, or -errno and the reason in `error`. */
int uno_interface_find(const char *wish, struct sockaddr_storage *address, char error[UNO_NET_ERROR]);

/* Write an address, without its port. Returns `text`. */
const char *uno_interface_text(const struct sockaddr_storage *address, char text[UNO_ADDRESS_TEXT]);

#endif
