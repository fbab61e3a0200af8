/* The network of a model, behind src/net/net.h: one thread of the model is the network. In each of its steps
 * it does one of the things that may happen next, and the checker tries each:
 *
 * - the first packet between two PEs arrives, so that those of a pair keep their order, and no others;
 * - a PE that has its descriptor watched is woken, since something has come that it has not looked for;
 * - a node learns that a PE of another one has left.
 *
 * A packet with a context lies in its sender's memory until it arrives, and must be the same then. Lines of
 * rings hold the numbers of the checker's cells in the place of their headers, which mean nothing elsewhere:
 * what travels are their values. Included after engine_model.h. */

#ifndef NET_MODEL_H
#define NET_MODEL_H

enum {
    NETWORK = PES, /* the number of its thread */
    PACKETS = 96,  /* under way, or kept by PEs, at most */
    PACKET = 640,  /* bytes of one, at most */
    LEAST = UNO_MODEL_LEAST,
    WAITING = 32 /* events of an endpoint */
};

static int node_of(int k) {
    return k % NODES;
}

struct model_packet {
    bool used;
    unsigned from, to;
    struct iovec parts[UNO_NET_PARTS]; /* in the sender's memory */
    int count;
    void *context;
    size_t bytes;
    alignas(8) char data[PACKET];
};

template <typename T, int most> struct model_queue {
    T item[most];
    int first, count;
    void put(T one) {
        RL_ASSERT(count < most);
        item[(first + count++) % most] = one;
    }
    T get() {
        T one = item[first];
        first = (first + 1) % most;
        count--;
        return one;
    }
};

/* An endpoint, which is that of one PE. */
struct uno_net {
    unsigned me;
    model_queue<uno_net_event, WAITING> come;
    int kept;            /* packets that the PE has not given back */
    bool asked;          /* it has looked, and nothing had come: the descriptor will tell */
    bool readable;       /* it tells */
    uno_atomic64 *watch; /* the bell that is rung then; NULL: nobody watches */
    uint64_t rung;
    uno_atomic64 header[LINES]; /* of the lines that it takes in now */
    bool closed;
};

struct network {
    uno_net end[PES];
    model_packet packet[PACKETS];
    model_queue<model_packet *, PACKETS> link[PES][PES];
    bool leaves[PES][NODES]; /* a node has to learn that this PE has left */
    int ended;               /* PEs */
    rl::mutex lock;
    rl::condition_variable something;
    bool waits;

    void begin() {
        for (unsigned k = 0; k < PES; k++) {
            end[k].me = k;
            end[k].come.first = end[k].come.count = end[k].kept = 0;
            end[k].asked = end[k].readable = end[k].closed = false;
            end[k].watch = NULL;
            end[k].rung = UINT64_MAX;
            for (unsigned i = 0; i < PES; i++)
                link[k][i].first = link[k][i].count = 0;
            for (bool &leave : leaves[k])
                leave = false;
        }
        for (model_packet &p : packet)
            p.used = false;
        ended = 0;
        waits = false;
    }

    /* Note in the history of an execution. */
    static void note(const char *what, unsigned from, unsigned to, const model_packet *p) {
        char text[120];
        if (!rl::ctx().collecting_history())
            return;
        int n = snprintf(text, sizeof text, "network: %s, %u to %u", what, from, to);
        if (p)
            snprintf(text + n, sizeof text - (size_t)n, ", kind %u, detail %u, word %u", head_of(p)->kind,
                     head_of(p)->detail, (unsigned)head_of(p)->word);
        RL_LOG(text);
    }

    /* Nothing between these two is a step of a schedule: so what is looked at before a wait is still so. */
    void poke() {
        if (!waits)
            return;
        lock.lock($);
        something.notify_all($);
        lock.unlock($);
    }

    /* ---- what may happen next ---- */

    enum what { ARRIVES, WAKES, LEAVES };
    struct happening {
        enum what what;
        unsigned a, b;
    } next[PES * PES + PES + PES * NODES];

    unsigned find_next() {
        unsigned n = 0;
        for (unsigned k = 0; k < PES; k++) {
            for (unsigned i = 0; i < PES; i++)
                if (link[k][i].count)
                    next[n++] = {ARRIVES, k, i};
            if (end[k].watch && end[k].readable)
                next[n++] = {WAKES, k, 0};
            for (unsigned node = 0; node < NODES; node++)
                if (leaves[k][node])
                    next[n++] = {LEAVES, k, node};
        }
        return n;
    }

    void tell(uno_net *net, const uno_net_event &event) {
        net->come.put(event);
        if (net->asked)
            net->readable = true;
        net->asked = false;
    }

    void arrive(model_packet *p) {
        uno_net *to = &end[p->to], *from = &end[p->from];
        if (p->context) {
            RL_ASSERT(is_unchanged(p) && "the memory of a packet has changed on its way");
            uno_net_event done = {};
            done.what = uno_net_event::UNO_NET_DONE;
            done.context = p->context;
            if (!from->closed)
                tell(from, done);
        }
        RL_ASSERT((!to->closed || !is_needed(p)) && "a packet has come too late");
        if (to->closed) {
            p->used = false;
            return;
        }
        uno_net_event arrived = {};
        arrived.what = uno_net_event::UNO_NET_ARRIVED;
        arrived.data = p->data;
        arrived.bytes = p->bytes;
        arrived.packet = p;
        tell(to, arrived);
    }

    void leave(unsigned k, unsigned node);

    void happen(const happening &h) {
        if (h.what == ARRIVES) {
            note("arrives", h.a, h.b, link[h.a][h.b].item[link[h.a][h.b].first]);
            arrive(link[h.a][h.b].get());
        } else if (h.what == WAKES) {
            uno_atomic64 *bell = end[h.a].watch;
            end[h.a].watch = NULL;
            end[h.a].readable = false;
            note("wakes", NETWORK, h.a, NULL);
            uno_bell_ring(bell, &end[h.a].rung);
        } else {
            note("has left", h.a, h.b, NULL);
            leaves[h.a][h.b] = false;
            leave(h.a, h.b);
        }
    }

    void run() {
        for (;;) {
            lock.lock($);
            if (!find_next() && ended < PES) {
                waits = true;
                something.wait(lock, $);
                waits = false;
            }
            lock.unlock($);
            unsigned n = find_next();
            if (n)
                happen(next[n > 1 ? rl::rand(n) : 0]);
            else if (ended == PES)
                return;
        }
    }

    /* ---- packets ---- */

    static const uno_far_head *head_of(const model_packet *p) {
        return (const uno_far_head *)p->data;
    }
    static bool is_lines(const model_packet *p) {
        return head_of(p)->kind == UNO_FAR_LINES;
    }
    /* Return true if a PE may not leave before it has taken this packet in. */
    static bool is_needed(const model_packet *p) {
        return head_of(p)->kind == UNO_FAR_PART || head_of(p)->kind == UNO_FAR_WHOLE ||
               (is_lines(p) && head_of(p)->detail);
    }

    /* Return true if lines of a PE are on their way out of its memory. */
    bool needs_lines(unsigned from) {
        for (model_queue<model_packet *, PACKETS> &to : link[from])
            for (int i = 0; i < to.count; i++) {
                const model_packet *p = to.item[(to.first + i) % PACKETS];
                if (p->context && is_lines(p))
                    return true;
            }
        return false;
    }

    /* Return true if the sender's memory is what it was, but for the headers of lines. */
    static bool is_unchanged(const model_packet *p) {
        char now[PACKET];
        size_t bytes = 0;
        for (int i = 0; i < p->count; bytes += p->parts[i++].iov_len)
            memcpy(now + bytes, p->parts[i].iov_base, p->parts[i].iov_len);
        for (unsigned i = 0; is_lines(p) && i < head_of(p)->detail; i++) {
            size_t at = sizeof(uno_far_head) + i * sizeof(uno_line);
            memcpy(now + at, p->data + at, sizeof(uno_atomic64));
        }
        return !memcmp(now, p->data, bytes);
    }

    /* Call a function for the header of each line of a packet. */
    template <typename Do> static void each_header(model_packet *p, Do change) {
        unsigned lines = is_lines(p) ? head_of(p)->detail : 0;
        for (unsigned i = 0; i < lines; i++)
            change(&((uno_line *)(p->data + sizeof(uno_far_head)))[i].header, i);
    }

    int send(uno_net *net, uint64_t peer, const struct iovec *parts, int count, void *context) {
        model_packet *p = packet;
        while (p < packet + PACKETS && p->used)
            p++;
        RL_ASSERT(p < packet + PACKETS);
        p->used = true;
        p->from = net->me;
        p->to = (unsigned)peer;
        p->context = context;
        p->count = count;
        p->bytes = 0;
        for (int i = 0; i < count; i++) {
            p->parts[i] = parts[i];
            RL_ASSERT(p->bytes + parts[i].iov_len <= PACKET);
            memcpy(p->data + p->bytes, parts[i].iov_base, parts[i].iov_len);
            p->bytes += parts[i].iov_len;
        }
        RL_ASSERT(context || p->bytes <= LEAST);
        each_header(p, [](uno_atomic64 *header, unsigned) { header->number = uno_load64_relaxed(header); });
        note("sent", net->me, p->to, p);
        link[net->me][peer].put(p);
        poke();
        return 0;
    }

    bool poll(uno_net *net, uno_net_event *event) {
        if (!net->come.count)
            return false;
        *event = net->come.get();
        if (event->what == uno_net_event::UNO_NET_ARRIVED) {
            net->kept++;
            note("taken in", ((model_packet *)event->packet)->from, net->me, (model_packet *)event->packet);
            each_header((model_packet *)event->packet, [net](uno_atomic64 *header, unsigned i) {
                uint64_t value = header->number;
                RL_ASSERT(i < LINES);
                *header = net->header[i];
                uno_store64_relaxed(header, value);
            });
        }
        return true;
    }
};

static network *net_of_model;

static size_t net_least(const uno_net *) {
    return LEAST;
}
static int net_name_peer(uno_net *, const char *address, size_t, uint64_t *peer) {
    memcpy(peer, address, sizeof *peer);
    return 0;
}
static int net_send(uno_net *net, uint64_t peer, const struct iovec *parts, int count, void *context) {
    return net_of_model->send(net, peer, parts, count, context);
}
static bool net_poll(uno_net *net, uno_net_event *event) {
    return net_of_model->poll(net, event);
}
static void net_release(uno_net *net, void *packet) {
    net->kept--;
    ((model_packet *)packet)->used = false;
}
static int net_descriptor(const uno_net *) {
    return 0;
}
static bool net_may_sleep(uno_net *net) {
    net->asked = !net->come.count;
    net->readable = !net->asked;
    return net->asked;
}
static void net_close(uno_net *net) {
    RL_ASSERT(!net->kept && "a packet was not given back");
    net->closed = true;
    for (model_packet &p : net_of_model->packet)
        if (p.from == net->me)
            p.context = NULL; /* it lies in the network by now */
}

static const uno_net_kind net_kind() {
    uno_net_kind kind = {};
    kind.name_peer = net_name_peer;
    kind.least = net_least;
    kind.send = net_send;
    kind.poll = net_poll;
    kind.release = net_release;
    kind.descriptor = net_descriptor;
    kind.may_sleep = net_may_sleep;
    kind.close = net_close;
    return kind;
}
static const uno_net_kind kind_of_model = net_kind();

/* ---- the thread that watches an endpoint (src/engine/far/watcher.h) --------------------------------------
 */

bool uno_watcher_watch(struct uno_watcher **, int, uno_atomic64 *bell) {
    uno_net *net = &net_of_model->end[rl::thread_index()];
    net->watch = bell;
    if (net->readable)
        net_of_model->poke();
    return true;
}

void uno_watcher_end(struct uno_watcher **) {
    net_of_model->end[rl::thread_index()].watch = NULL;
}

#endif
