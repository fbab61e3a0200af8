/* Bare libfabric, with the provider that Unisono takes. */

#include "side.h"

#include "net/interface.h"
#include "net/load.h"

#include <netinet/in.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <stdlib.h>
#include <string.h>

struct bare {
    struct uno_libfabric library;
    struct fid_cq *cq;
    struct fid_ep *ep;
    struct fid_av *av;
    fi_addr_t peer;
    size_t least;
    struct fi_context2 sent, received;
    int over, come; /* completions of them */
};

static void check(int error) {
    if (error)
        fail("bare libfabric");
}

static struct fi_info *find(struct bare *b, const char *interface) {
    struct sockaddr_storage address;
    char error[UNO_NET_ERROR];
    if (uno_libfabric_load(&b->library, error) || uno_interface_find(interface, &address, error))
        fail(error);
    struct fi_info *hints = b->library.fi_dupinfo(NULL), *info;
    hints->caps = FI_MSG;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
    hints->addr_format = FI_SOCKADDR_IN;
    hints->src_addrlen = sizeof(struct sockaddr_in);
    hints->src_addr = memcpy(malloc(sizeof address), &address, sizeof address);
    check(b->library.fi_getinfo(UNO_LIBFABRIC_VERSION, NULL, NULL, 0, hints, &info));
    return info;
}

static struct bare *open_bare(const char *interface, enum fi_wait_obj wait) {
    struct bare *b = calloc(1, sizeof *b);
    struct fi_info *info = find(b, interface);
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    b->least = info->tx_attr->inject_size;
    check(b->library.fi_fabric(info->fabric_attr, &fabric, NULL));
    check(fi_domain(fabric, info, &domain, NULL));
    check(
        fi_cq_open(domain, &(struct fi_cq_attr){.format = FI_CQ_FORMAT_MSG, .wait_obj = wait}, &b->cq, NULL));
    check(fi_av_open(domain, &(struct fi_av_attr){.type = FI_AV_TABLE}, &b->av, NULL));
    check(fi_endpoint(domain, info, &b->ep, NULL));
    check(fi_ep_bind(b->ep, &b->av->fid, 0));
    check(fi_ep_bind(b->ep, &b->cq->fid, FI_TRANSMIT | FI_RECV));
    check(fi_enable(b->ep));
    return b;
}

static void *open_plain(const char *interface) {
    return open_bare(interface, FI_WAIT_NONE);
}

static void *open_descriptor(const char *interface) {
    return open_bare(interface, FI_WAIT_FD);
}

static size_t address(void *end, char address[UNO_NET_ADDRESS]) {
    size_t bytes = UNO_NET_ADDRESS;
    check(fi_getname(&((struct bare *)end)->ep->fid, address, &bytes));
    return bytes;
}

static void name_peer(void *end, const char *address, size_t bytes) {
    struct bare *b = end;
    (void)bytes;
    check(fi_av_insert(b->av, address, 1, &b->peer, 0, NULL) != 1);
}

/* Wait for one completion, and count it. */
static void complete(struct bare *b) {
    struct fi_cq_msg_entry entry;
    ssize_t read;
    while ((read = fi_cq_read(b->cq, &entry, 1)) == -FI_EAGAIN)
        ;
    check(read != 1);
    *(entry.op_context == &b->sent ? &b->over : &b->come) += 1;
}

static void send_bare(void *end, const void *data, size_t bytes) {
    struct bare *b = end;
    bool copies = bytes <= b->least;
    ssize_t error;
    while ((error = copies ? fi_inject(b->ep, data, bytes, b->peer)
                           : fi_send(b->ep, data, bytes, NULL, b->peer, &b->sent)) == -FI_EAGAIN)
        fi_cq_read(b->cq, NULL, 0);
    check((int)error);
    while (!copies && !b->over)
        complete(b);
    b->over = 0;
}

static void expect(void *end, void *data, size_t bytes) {
    struct bare *b = end;
    check((int)fi_recv(b->ep, data, bytes, NULL, FI_ADDR_UNSPEC, &b->received));
}

static void receive(void *end) {
    struct bare *b = end;
    while (!b->come)
        complete(b);
    b->come--;
}

const struct side side_bare = {"bare", open_plain, address, name_peer, send_bare, expect, receive};
const struct side side_bare_descriptor = {
    "bare, with a descriptor", open_descriptor, address, name_peer, send_bare, expect, receive};
