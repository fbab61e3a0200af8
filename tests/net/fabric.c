/* The wishes that libfabric's endpoints fulfil beside packets: ports, interfaces, and the library itself. */

#include "checks.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Open another endpoint than that of the member. NULL: the error must have this text in it. */
static struct uno_net *open_with(struct member *m, const struct uno_net_wishes *wishes,
                                 const char *expected) {
    char error[UNO_NET_ERROR] = "";
    struct uno_net *net = m->kind->open(wishes, error);
    if (!net && (!expected || !strstr(error, expected)))
        fail("an endpoint cannot be opened: %s", error);
    if (net && expected)
        fail("an endpoint was opened, and not refused with the words \"%s\"", expected);
    if (!net && (error[strlen(error) - 1] != '.' || strlen(error) == UNO_NET_ERROR - 1))
        fail("this is no whole sentence: %s", error);
    return net;
}

static struct sockaddr_in address_of(struct member *m, struct uno_net *net) {
    char text[UNO_NET_ADDRESS];
    struct sockaddr_in address = {0};
    CHECK(m->kind->address(net, text) >= sizeof address);
    memcpy(&address, text, sizeof address);
    return address;
}

static bool is_loopback(const struct sockaddr_in *address) {
    return ntohl(address->sin_addr.s_addr) >> 24 == 127;
}

static void ports_body(struct member *m) {
    struct uno_net_wishes wishes = m->company->wishes;
    int taken = ntohs(address_of(m, m->net).sin_port);
    CHECK(taken > 0);
    wishes.first_port = wishes.last_port = taken;
    open_with(m, &wishes, "are taken");
    wishes.last_port = taken + 20 < 65536 ? taken + 20 : 65535;
    struct uno_net *net = open_with(m, &wishes, NULL);
    int port = ntohs(address_of(m, net).sin_port);
    if (port <= taken || port > wishes.last_port)
        fail("the port is %d, of those from %d, which is taken, to %d", port, taken, wishes.last_port);
    m->kind->close(net);
}

static void run_alone(struct company *company, void (*body)(struct member *m)) {
    company->members = 1;
    company_run(company, body);
}

void check_ports(struct company *company) {
    run_alone(company, ports_body);
}

/* Return true if this machine has an IPv4 address by which others may reach it. */
static bool has_outer_address(void) {
    struct ifaddrs *all;
    bool has = false;
    CHECK(getifaddrs(&all) == 0);
    for (struct ifaddrs *one = all; one; one = one->ifa_next)
        has |= one->ifa_addr && one->ifa_addr->sa_family == AF_INET && one->ifa_flags & IFF_UP &&
               one->ifa_flags & IFF_RUNNING && !(one->ifa_flags & IFF_LOOPBACK);
    freeifaddrs(all);
    return has;
}

static void interface_body(struct member *m) {
    static const struct {
        const char *interface, *error; /* what its error says; NULL: it can be opened */
    } wishes[] = {{"none-such", "name none-such. Name one of these"},
                  {"203.0.113.77", "address 203.0.113.77"},
                  {"203.0.113.0/24", "address 203.0.113.0/24"},
                  {"127.0.0.1", NULL},
                  {"127.0.0.0/8", NULL},
                  {"lo", NULL}};
    struct uno_net_wishes one = m->company->wishes;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        one.interface = wishes[i].interface;
        struct uno_net *net = open_with(m, &one, wishes[i].error);
        if (!net)
            continue;
        struct sockaddr_in address = address_of(m, net);
        CHECK(address.sin_family == AF_INET && is_loopback(&address));
        m->kind->close(net);
    }
    one.interface = NULL;
    struct uno_net *net = open_with(m, &one, NULL);
    struct sockaddr_in address = address_of(m, net);
    CHECK(!has_outer_address() || (address.sin_family == AF_INET && !is_loopback(&address)));
    m->kind->close(net);
}

void check_interface(struct company *company) {
    run_alone(company, interface_body);
}

static void library_body(struct member *m) {
    printf("the network is %s\n", m->kind->describe(m->net));
    fflush(stdout);
    setenv("UNISONO_LIBFABRIC", "/none/such.so", 1);
    open_with(m, &m->company->wishes, "/none/such.so");
    setenv("UNISONO_LIBFABRIC", "libm.so.6", 1);
    open_with(m, &m->company->wishes, "is no libfabric");
}

void check_library(struct company *company) {
    run_alone(company, library_body);
}
