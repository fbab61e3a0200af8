/* Finding the network interface. */

#include "interface.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names of interfaces that lead to containers and virtual machines on this machine begin so. */
static const char *const inner[] = {"docker", "br-", "virbr", "veth", "cni", "lxcbr"};

/* A wish: the bits with which an address begins, or else the name of an interface. */
struct wish {
    const char *name;
    int family; /* AF_UNSPEC: a name */
    unsigned char bytes[sizeof(struct in6_addr)];
    unsigned bits;
};

static const void *bytes_of(const struct sockaddr *address) {
    return address->sa_family == AF_INET
               ? (const void *)&((const struct sockaddr_in *)(const void *)address)->sin_addr
               : (const void *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
}

static unsigned bits_of(int family) {
    return family == AF_INET ? 32 : 128;
}

const char *uno_interface_text(const struct sockaddr_storage *address, char text[UNO_ADDRESS_TEXT]) {
    const struct sockaddr *plain = (const struct sockaddr *)(const void *)address;
    if (!inet_ntop(plain->sa_family, bytes_of(plain), text, UNO_ADDRESS_TEXT))
        text[0] = 0;
    return text;
}

static struct wish parse(const char *text) {
    struct wish wish = {.name = text && *text ? text : NULL};
    char address[UNO_ADDRESS_TEXT];
    if (!wish.name || snprintf(address, sizeof address, "%s", text) >= (int)sizeof address)
        return wish;
    char *slash = strchr(address, '/');
    if (slash)
        *slash = 0;
    for (int family = AF_INET;; family = AF_INET6) {
        if (inet_pton(family, address, wish.bytes) == 1) {
            wish.family = family;
            wish.bits = slash ? (unsigned)strtoul(slash + 1, NULL, 10) : bits_of(family);
            if (wish.bits > bits_of(family))
                wish.bits = bits_of(family);
            return wish;
        }
        if (family == AF_INET6)
            return wish;
    }
}

static bool begin_alike(const unsigned char *a, const unsigned char *b, unsigned bits) {
    unsigned whole = bits / 8, rest = bits % 8;
    return memcmp(a, b, whole) == 0 && (rest == 0 || (a[whole] ^ b[whole]) >> (8 - rest) == 0);
}

static bool is_wished(const struct wish *wish, const struct ifaddrs *one) {
    if (wish->family == AF_UNSPEC)
        return !wish->name || strcmp(one->ifa_name, wish->name) == 0;
    return one->ifa_addr->sa_family == wish->family &&
           begin_alike(bytes_of(one->ifa_addr), wish->bytes, wish->bits);
}

/* Return how likely others reach this machine by this address; 0: they cannot. */
static int rank(const struct ifaddrs *one) {
    const struct sockaddr *address = one->ifa_addr;
    if (!address || (address->sa_family != AF_INET && address->sa_family != AF_INET6) ||
        !(one->ifa_flags & IFF_UP))
        return 0;
    const unsigned char *bytes = bytes_of(address);
    bool is_old = address->sa_family == AF_INET;
    if (is_old ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80)
        return 0; /* an address of one link, which takes the link's name to be reached */
    if (one->ifa_flags & IFF_LOOPBACK)
        return 1 + is_old;
    if (!(one->ifa_flags & IFF_RUNNING))
        return 3 + is_old;
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        if (strncmp(one->ifa_name, inner[i], strlen(inner[i])) == 0)
            return 5 + is_old;
    return 7 + is_old;
}

/* Write the interfaces that there are, with their addresses, as far as they fit. */
static void list(const struct ifaddrs *all, char *text, size_t room) {
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        char address[UNO_ADDRESS_TEXT];
        if (rank(one) &&
            inet_ntop(one->ifa_addr->sa_family, bytes_of(one->ifa_addr), address, sizeof address)) {
            int used = snprintf(text, room, " %s (%s)", one->ifa_name, address);
            if (used >= (int)room) {
                *text = 0;
                return;
            }
            text += used;
            room -= (size_t)used;
        }
    }
}

int uno_interface_find(const char *text, struct sockaddr_storage *address, char error[UNO_NET_ERROR]) {
    struct ifaddrs *all;
    if (getifaddrs(&all)) {
        snprintf(error, UNO_NET_ERROR, "The network interfaces cannot be listed: %s.", strerror(errno));
        return -errno;
    }
    struct wish wish = parse(text);
    const struct ifaddrs *best = NULL;
    for (const struct ifaddrs *one = all; one; one = one->ifa_next)
        if (rank(one) && is_wished(&wish, one) && (!best || rank(one) > rank(best)))
            best = one;
    if (best) {
        memset(address, 0, sizeof *address);
        memcpy(address, best->ifa_addr,
               best->ifa_addr->sa_family == AF_INET ? sizeof(struct sockaddr_in)
                                                    : sizeof(struct sockaddr_in6));
    } else {
        char there[160] = " none";
        list(all, there, sizeof there);
        snprintf(error, UNO_NET_ERROR,
                 "No network interface that is up has the %s %.40s. Name one of these:%.140s.",
                 wish.family == AF_UNSPEC ? "name" : "address", wish.name ? wish.name : "wished", there);
    }
    freeifaddrs(all);
    return best ? 0 : -ENODEV;
}
