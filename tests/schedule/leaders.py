"""Leaders that exchange their values, message by message, which shares nothing with the program: who has what is a
list, and time goes from event to event."""

import heapq


def log2_up(n):
    return (n - 1).bit_length()


def messages_of(way, n):
    """For each message of a leader: how far ahead it goes, of which ranks it has the values, as distances back from the
    sender, and how many of the messages before must have come."""
    if way == "direct":
        return [(ahead, [0], 0) for ahead in range(1, n)]
    if way == "bruck":
        result, has, came = [], [0], [-1]  # what a leader has, and by which message
        for k in range(log2_up(n)):
            part = has[:n - len(has)]
            result.append((1 << k, part, max(came[:len(part)]) + 1))
            came += [k] * len(part)
            has = has + [back + (1 << k) for back in part]
        assert has == list(range(n))
        return result
    result, others = [], 0
    for k, bit in enumerate(bin(n - 1)[2:] if n > 1 else ""):
        part = list(range(0 if bit == "1" else 1, others + 1))
        others += len(part)
        result.append((len(part), part, k))
    assert others == n - 1
    return result


class Leader:
    def __init__(self, count):
        self.busy, self.interface, self.receiving = 0.0, 0.0, 0.0
        self.unsent, self.waiting, self.has = list(range(count)), [], set()

    def in_order(self):
        k = 0
        while k in self.has:
            k += 1
        return k


def simulate(way, n, size, latency, overhead, gap, per_byte):
    """The messages and bytes of all leaders, and when the last of them has received everything, in us. size(ranks): the
    bytes of a message for so many ranks."""
    messages = messages_of(way, n)
    leaders = [Leader(len(messages)) for _ in range(n)]
    events, number, sent, size_sent, end = [(0.0, i, i, None) for i in range(n)], n, 0, 0, 0.0
    heapq.heapify(events)  # (when, which, of whom, the message that has arrived, or None: it is free again)
    while events:
        now, _, rank, arrived = heapq.heappop(events)
        leader = leaders[rank]
        if arrived is not None:
            leader.waiting.append(arrived)
        if leader.busy > now:
            continue
        due = [k for k in leader.unsent if messages[k][2] <= leader.in_order()]
        if due:
            ahead, part, _ = messages[due[0]]
            bytes_ = size(len(part))
            leader.unsent.remove(due[0])
            leader.busy = now + overhead
            begin = max(leader.busy, leader.interface)
            leader.interface = begin + gap + (bytes_ - 1) * per_byte
            other = leaders[(rank + ahead) % n]
            comes = max(begin + latency, other.receiving)  # its first byte; the interface there takes one at a time
            other.receiving = comes + gap + (bytes_ - 1) * per_byte
            heapq.heappush(events, (comes + (bytes_ - 1) * per_byte, number, (rank + ahead) % n, due[0]))
            sent, size_sent = sent + 1, size_sent + bytes_
        elif leader.waiting:
            leader.has.add(leader.waiting.pop(0))
            leader.busy = now + overhead
            end = max(end, leader.busy)
        else:
            continue
        heapq.heappush(events, (leader.busy, number + 1, rank, None))
        number += 2
    assert all(len(leader.has) == len(messages) for leader in leaders)
    return sent, size_sent, end
