"""The network of packets in Python, clock by clock, from its description (docs/chip.md) and not from its Verilog: the
oracle of test_mesh.py. A word is a tuple, so nothing is read out of bits.

In each clock every queue gives at most one word and takes at most one, and all of them see the queues as the clock
before left them: a queue that is full takes none, also if it gives one."""

import collections

HERE, EAST, WEST, NORTH, SOUTH = range(5)
OPPOSITE = {EAST: WEST, WEST: EAST, NORTH: SOUTH, SOUTH: NORTH}
STEP = {EAST: (1, 0), WEST: (-1, 0), NORTH: (0, -1), SOUTH: (0, 1)}

# A word of a packet to the tile `to`. The header is `head`, the last word is `last`, and a header alone is both.
Word = collections.namedtuple("Word", "value to head last")


def direction(place, to):
    """The port by which a packet for `to` leaves the router of `place`: along the row, then along the column."""
    if to[0] != place[0]:
        return EAST if to[0] > place[0] else WEST
    if to[1] != place[1]:
        return SOUTH if to[1] > place[1] else NORTH
    return HERE


class Network:
    def __init__(self, columns, rows, depth):
        self.depth = depth
        self.places = [(x, y) for y in range(rows) for x in range(columns)]
        # Each router's queue for each port, and each tile's own.
        self.queues = {(place, port): collections.deque() for place in self.places for port in range(5)}
        self.arrived = {place: collections.deque() for place in self.places}
        # For each port by which words leave: the queue that had it last, and if it is in the middle of a packet.
        self.last = {(place, port): SOUTH for place in self.places for port in range(5)}
        self.busy = dict.fromkeys(self.last, False)

    def target(self, place, port):
        """The queue that a port leads to."""
        if port == HERE:
            return self.arrived[place]
        step = STEP[port]
        return self.queues[(place[0] + step[0], place[1] + step[1]), OPPOSITE[port]]

    def winners(self, place):
        """The ports by which a router may send in this clock, and the queue of each."""
        queues = [self.queues[place, port] for port in range(5)]
        asking = collections.defaultdict(list)
        for number, queue in enumerate(queues):
            if queue and queue[0].head:
                asking[direction(place, queue[0].to)].append(number)
        for port in range(5):
            last = self.last[place, port]
            if self.busy[place, port]:
                if queues[last]:
                    yield port, last
            elif asking[port]:
                yield port, min(asking[port], key=lambda number, last=last: (number - last - 1) % 5)

    def clock(self, sends, takes):
        """One clock: the words that tiles offer, by place, and the places whose tiles would take one. Returns the
        places whose words were accepted, and the words that were taken."""
        accepted = [place for place in sends if len(self.queues[place, HERE]) < self.depth]
        moves = [(place, port, winner) for place in self.places for port, winner in self.winners(place)
                 if len(self.target(place, port)) < self.depth]
        taken = {place: self.arrived[place].popleft() for place in takes if self.arrived[place]}
        words = [(self.queues[place, winner].popleft(), place, port, winner) for place, port, winner in moves]
        for word, place, port, winner in words:
            self.target(place, port).append(word)
            self.last[place, port] = winner
            self.busy[place, port] = not word.last
        for place in accepted:
            self.queues[place, HERE].append(sends[place])
        return accepted, taken


def run(columns, rows, depth, programs, pauses):
    """The words that must come out. `programs`: for each tile a list of (delay, word); `pauses`: for each tile a list
    of (delay, number of words). Returns the clocks at which each word was accepted and those at which each was taken,
    with it."""
    network = Network(columns, rows, depth)
    tiles = {place: number for number, place in enumerate(network.places)}
    to_send = [collections.deque(program) for program in programs]
    to_take = [collections.deque((delay, 1) for delay, number in program for delay in [delay] + [0] * (number - 1))
               for program in pauses]
    # A step begins a clock after the one before it has ended, and its delay comes first.
    send_at = [queue[0][0] if queue else None for queue in to_send]
    take_at = [queue[0][0] if queue else None for queue in to_take]
    accepts, takes = [[] for _ in tiles], [[] for _ in tiles]
    now = 0
    while any(to_send) or any(to_take):
        sends = {place: to_send[t][0][1] for place, t in tiles.items() if to_send[t] and now >= send_at[t]}
        wants = [place for place, t in tiles.items() if to_take[t] and now >= take_at[t]]
        accepted, taken = network.clock(sends, wants)
        for place in accepted:
            tile = tiles[place]
            accepts[tile].append(now)
            to_send[tile].popleft()
            if to_send[tile]:
                send_at[tile] = now + 1 + to_send[tile][0][0]
        for place, word in taken.items():
            tile = tiles[place]
            takes[tile].append((now, word.value))
            to_take[tile].popleft()
            if to_take[tile]:
                take_at[tile] = now + 1 + to_take[tile][0][0]
        now += 1
    return accepts, takes
