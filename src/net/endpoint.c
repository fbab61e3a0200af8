/* Opening an endpoint of libfabric: which provider, which address, which port. */

#include "endpoint.h"

#include "interface.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- the providers ------------------------------------------------------------------------------------ */

/* Providers that are taken only if FI_PROVIDER names them: those that reach this machine only, and those that
 * libfabric keeps for tests. */
static const char *const left_out[] = {"shm", "sm2", "udp", "sockets"};

/* Return true if a provider, as "tcp;ofi_rxm", is built on this one. */
static bool is_on(const char *provider, const char *core) {
    size_t bytes = strlen(core);
    return strncmp(provider, core, bytes) == 0 && (provider[bytes] == 0 || provider[bytes] == ';');
}

static bool is_allowed(const struct fi_info *info) {
    const char *provider = info->fabric_attr->prov_name, *wished = getenv("FI_PROVIDER");
    /* The "net" of 1.17, a first form of the "tcp" of 2.0, wakes those who sleep without end. */
    if (is_on(provider, "net"))
        return false;
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (is_on(provider, left_out[i]))
            return wished && *wished != '^' && strstr(wished, left_out[i]);
    return true;
}

/* Return what an endpoint must be able to do, for fi_getinfo. Memory that is sent or written from is the
 * caller's, whom nobody asks to register it: providers that need that do so themselves. */
static struct fi_info *hints_for(const struct uno_libfabric *library, bool writes) {
    struct fi_info *hints = library->fi_dupinfo(NULL);
    if (!hints)
        return NULL;
    hints->caps = FI_MSG | (writes ? FI_RMA : 0);
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS | (writes ? FI_ORDER_SAW : 0);
    hints->domain_attr->mr_mode = FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR | FI_MR_ENDPOINT;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->domain_attr->control_progress = hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
    hints->domain_attr->av_type = FI_AV_TABLE;
    return hints;
}

static size_t bytes_of(const struct sockaddr_storage *address) {
    return address->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

static bool is_internet(const struct fi_info *info) {
    return info->addr_format == FI_SOCKADDR_IN || info->addr_format == FI_SOCKADDR_IN6;
}

/* Return the providers that can do this from an address; NULL: from addresses of their own, for which
 * FI_PROVIDER must name them, since none was here to be tried. */
static struct fi_info *providers(const struct uno_libfabric *library,
                                 const struct sockaddr_storage *address) {
    struct fi_info *found = NULL;
    for (int writes = 1; writes >= 0 && !found; writes--) {
        struct fi_info *hints = hints_for(library, writes);
        if (hints && address) {
            hints->addr_format = address->ss_family == AF_INET ? FI_SOCKADDR_IN : FI_SOCKADDR_IN6;
            hints->src_addrlen = bytes_of(address);
            hints->src_addr = malloc(hints->src_addrlen); /* fi_freeinfo frees it */
            if (hints->src_addr)
                memcpy(hints->src_addr, address, hints->src_addrlen);
        }
        if (hints && library->fi_getinfo(UNO_LIBFABRIC_VERSION, NULL, NULL, 0, hints, &found))
            found = NULL;
        if (hints)
            library->fi_freeinfo(hints);
    }
    return found;
}

/* ---- the endpoint ------------------------------------------------------------------------------------- */

int uno_fabric_errno(ssize_t error) {
    return error <= -FI_ERRNO_OFFSET ? -EIO : (int)error;
}

static void shut(void *object) {
    if (object)
        fi_close(&((struct fid_ep *)object)->fid); /* every object begins with its fid */
}

static void end_objects(struct uno_net *net) {
    shut(net->ep);
    shut(net->cq);
    shut(net->av);
    shut(net->domain);
    shut(net->fabric);
    net->ep = NULL, net->cq = NULL, net->av = NULL, net->domain = NULL, net->fabric = NULL;
}

void uno_fabric_end(struct uno_net *net) {
    end_objects(net);
    if (net->info)
        net->library.fi_freeinfo(net->info);
    if (net->packets)
        munmap(net->packets, net->packets_bytes);
    free(net->received);
    free(net->posted);
    free(net->sent);
    free(net->gathered);
    free(net->peers);
    free(net);
}

static int open_domain(struct uno_net *net, enum fi_wait_obj wait) {
    int error = net->library.fi_fabric(net->info->fabric_attr, &net->fabric, NULL);
    if (!error)
        error = fi_domain(net->fabric, net->info, &net->domain, NULL);
    struct fi_cq_attr cq = {
        .format = FI_CQ_FORMAT_MSG, .wait_obj = wait, .size = UNO_FABRIC_SENDS + (size_t)net->packets_count};
    if (!error)
        error = fi_cq_open(net->domain, &cq, &net->cq, NULL);
    net->descriptor = -1;
    if (!error && wait == FI_WAIT_FD)
        error = fi_control(&net->cq->fid, FI_GETWAIT, &net->descriptor);
    struct fi_av_attr av = {.type = FI_AV_TABLE};
    if (!error)
        error = fi_av_open(net->domain, &av, &net->av, NULL);
    return error;
}

/* Make an endpoint at the address of net->info. */
static int open_endpoint(struct uno_net *net) {
    int error = fi_endpoint(net->domain, net->info, &net->ep, NULL);
    if (!error)
        error = fi_ep_bind(net->ep, &net->av->fid, 0);
    if (!error)
        error = fi_ep_bind(net->ep, &net->cq->fid, FI_TRANSMIT | FI_RECV);
    if (!error)
        error = fi_enable(net->ep);
    if (error) {
        shut(net->ep);
        net->ep = NULL;
    }
    return error;
}

static void set_port(struct fi_info *info, int port) {
    struct sockaddr *address = info->src_addr;
    if (info->addr_format == FI_SOCKADDR_IN)
        ((struct sockaddr_in *)(void *)address)->sin_port = htons((uint16_t)port);
    else
        ((struct sockaddr_in6 *)(void *)address)->sin6_port = htons((uint16_t)port);
}

/* Make a domain with an endpoint. */
static int open_all(struct uno_net *net, enum fi_wait_obj wait) {
    int error = open_domain(net, wait);
    return error ? error : open_endpoint(net);
}

/* The same at the first port of the range that is free. An endpoint that could not be opened stays known to
 * its domain, which is made anew for the next port. */
static int open_at_port(struct uno_net *net, enum fi_wait_obj wait, const struct uno_net_wishes *wishes) {
    if (!is_internet(net->info))
        return open_all(net, wait);
    int error = -EADDRINUSE;
    for (int port = wishes->first_port; port <= wishes->last_port && error == -EADDRINUSE; port++) {
        end_objects(net);
        set_port(net->info, port);
        error = open_all(net, wait);
    }
    return error;
}

/* Try one provider. Returns 0, or -errno and the reason in `error`. */
static int try(struct uno_net *net, const struct fi_info *info, enum fi_wait_obj wait,
               const struct uno_net_wishes *wishes, char error[UNO_NET_ERROR]) {
    net->info = net->library.fi_dupinfo(info);
    if (!net->info)
        return -ENOMEM;
    int failed = open_at_port(net, wait, wishes);
    if (!failed)
        return 0;
    if (failed == -EADDRINUSE && wishes->first_port)
        snprintf(error, UNO_NET_ERROR, "All ports from %d to %d are taken. Give a wider range of ports.",
                 wishes->first_port, wishes->last_port);
    else
        snprintf(error, UNO_NET_ERROR,
                 "An endpoint of the provider %.60s of libfabric cannot be opened: %.80s. Name another "
                 "provider in "
                 "FI_PROVIDER.",
                 info->fabric_attr->prov_name, net->library.fi_strerror(-failed));
    end_objects(net);
    net->library.fi_freeinfo(net->info);
    net->info = NULL;
    return uno_fabric_errno(failed);
}

/* Open an endpoint by the first provider with which that can be done. One with a descriptor comes before one
 * without, whose users cannot sleep. */
static int choose(struct uno_net *net, const struct uno_net_wishes *wishes, char error[UNO_NET_ERROR]) {
    struct sockaddr_storage address;
    int failed = uno_interface_find(wishes->interface, &address, error);
    if (failed)
        return failed;
    char from[UNO_ADDRESS_TEXT];
    const char *wished = getenv("FI_PROVIDER");
    snprintf(
        error, UNO_NET_ERROR, "No provider of libfabric carries packets in their order from %s%s%.60s. %s.",
        uno_interface_text(&address, from), wished ? ", of those that FI_PROVIDER names: " : "",
        wished ? wished : "", wished ? "Unset FI_PROVIDER" : "Take a libfabric that has the provider tcp");
    struct fi_info *found[] = {providers(&net->library, &address),
                               wished ? providers(&net->library, NULL) : NULL};
    failed = -ENODATA;
    for (int i = 0; i < 4 && failed && failed != -EADDRINUSE; i++)
        for (const struct fi_info *info = found[i % 2]; info && failed && failed != -EADDRINUSE;
             info = info->next)
            if (is_allowed(info) && is_internet(info) == (i % 2 == 0))
                failed = try(net, info, i < 2 ? FI_WAIT_FD : FI_WAIT_NONE, wishes, error);
    for (int i = 0; i < 2; i++)
        if (found[i])
            net->library.fi_freeinfo(found[i]);
    return failed;
}

/* ---- its memory --------------------------------------------------------------------------------------- */

int uno_fabric_post(struct uno_net *net, struct uno_operation *operation) {
    ssize_t error = fi_recv(net->ep, operation->packet, net->packet, NULL, FI_ADDR_UNSPEC, &operation->its);
    if (error)
        return uno_fabric_errno(error);
    operation->come = 0;
    if (net->sorts) {
        int last = net->posted_first + net->posted_count++;
        net->posted[last < net->packets_count ? last : last - net->packets_count] = operation;
    }
    return 0;
}

/* Get the memory of packets and operations, and let the first packets be received. */
static int begin(struct uno_net *net) {
    size_t step = (net->packet + 63) / 64 * 64;
    net->packets_bytes = step * (size_t)net->packets_count;
    net->packets = mmap(NULL, net->packets_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (net->packets == MAP_FAILED)
        net->packets = NULL;
    net->least = net->info->tx_attr->inject_size;
    net->gathered = malloc(net->least + 1);
    net->received = calloc((size_t)net->packets_count, sizeof *net->received);
    net->posted = calloc((size_t)net->packets_count, sizeof(*net->posted));
    net->sent = calloc(UNO_FABRIC_SENDS, sizeof *net->sent);
    if (!net->packets || !net->gathered || !net->received || !net->posted || !net->sent)
        return -ENOMEM;
    net->sorts = strcmp(net->info->fabric_attr->prov_name, "tcp") != 0;
    for (int i = 0; i < UNO_FABRIC_SENDS; i++) {
        net->sent[i].next = net->free;
        net->free = &net->sent[i];
    }
    for (int i = 0; i < net->packets_count; i++) {
        net->received[i].packet = net->packets + (size_t)i * step;
        int failed = uno_fabric_post(net, &net->received[i]);
        if (failed)
            return failed;
    }
    snprintf(net->words, sizeof net->words, "%.30s of libfabric %u.%u", net->info->fabric_attr->prov_name,
             FI_MAJOR(net->library.fi_version()), FI_MINOR(net->library.fi_version()));
    return 0;
}

struct uno_net *uno_fabric_open(const struct uno_net_wishes *wishes, char error[UNO_NET_ERROR]) {
    struct uno_net *net = calloc(1, sizeof *net);
    if (!net) {
        snprintf(error, UNO_NET_ERROR, "There is no memory for an endpoint. Free some.");
        return NULL;
    }
    net->packet = wishes->packet;
    net->packets_count = wishes->packets + UNO_FABRIC_AHEAD;
    int failed = uno_libfabric_load(&net->library, error);
    if (!failed)
        failed = choose(net, wishes, error);
    if (!failed) {
        failed = begin(net);
        if (failed)
            snprintf(error, UNO_NET_ERROR, "%d packets of %zu bytes cannot be received: %s. Ask for fewer.",
                     net->packets_count, net->packet, strerror(-failed));
    }
    if (!failed)
        return net;
    uno_fabric_end(net);
    return NULL;
}
