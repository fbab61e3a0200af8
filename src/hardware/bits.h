// The bits of a port of a model that Verilator has made, which is an integer or, if it is wide, an array:
// words of 32 bits, the lowest first. Both lie in memory in the same way on a machine that stores the low
// byte first.

#ifndef UNO_BITS_H
#define UNO_BITS_H

#include <cstdint>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the ports are read as memory");

template <class Port> void put(Port &port, int at, int bits, uint32_t value) {
    auto *bytes = reinterpret_cast<unsigned char *>(&port);
    for (int i = 0; i < bits; i++, at++) {
        unsigned char bit = static_cast<unsigned char>(1 << at % 8);
        bytes[at / 8] =
            static_cast<unsigned char>(value >> i & 1 ? bytes[at / 8] | bit : bytes[at / 8] & ~bit);
    }
}

template <class Port> uint32_t get(const Port &port, int at, int bits) {
    auto *bytes = reinterpret_cast<const unsigned char *>(&port);
    uint32_t value = 0;
    for (int i = 0; i < bits; i++, at++)
        value |= static_cast<uint32_t>(bytes[at / 8] >> at % 8 & 1) << i;
    return value;
}

#endif
