/* The signature of an operation, 16 bits: all members of a group must bring the same.
 *
 *     bits 0 to 5     the operation, 1 to 63
 *     bits 6 to 15    its detail: whatever else must be the same, as the operation's family defines it
 *
 * A face of the library has a family of operations: a table (ops.def) that numbers them from the start of the
 * family's range, and a struct uno_ops that names them. All families together have 63 operations. A family
 * that outgrows its range gives one number to several operations that have no detail, and tells them apart by
 * the detail: that makes room for 1,024 of them. */

#ifndef UNO_SIGNATURE_H
#define UNO_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

/* The start of each family's range; it ends where the next one starts. */
enum {
    UNO_NOTHING,             /* so that no signature, and no header, is 0 */
    UNO_OPS_AGGREGATE = 1,   /* functions of what the members of a group put in */
    UNO_OPS_FILE = 29,       /* operations on a file of a group */
    UNO_OPS_COLLECTIVE = 32, /* collective operations on arrays of any size */
    UNO_OPS_EXCHANGE = 50,   /* exchanges of arrays between all members of a group */
    UNO_OPS_MESSAGE = 56,    /* a PE waits for another one, and not for a group */
    UNO_OPS_TAGGED = 62,     /* likewise, by messages with tags and communicators; one number for all */
    UNO_OPS_END = 63,        /* the engine's own: */
    UNO_EXIT = UNO_OPS_END,  /* p_exit, in which a PE waits until its messages have been taken */
    UNO_OP_COUNT             /* operations, with UNO_NOTHING */
};

/* The engine's own operation, p_exit, shares its number with the interrupt, which differs in the detail. */
#define UNO_SIGNATURE_INTERRUPT UNO_SIGNATURE(UNO_EXIT, 1)

#define UNO_SIGNATURE(op, detail) ((unsigned)(op) | (unsigned)(detail) << 6)

/* The signature of an operation whose detail is the low 10 bits of a number of bytes. */
#define UNO_SIGNATURE_BYTES(op, bytes) UNO_SIGNATURE(op, (unsigned)(bytes)&1023)

static inline unsigned uno_signature_op(unsigned signature) {
    return signature & 63;
}

static inline unsigned uno_signature_detail(unsigned signature) {
    return signature >> 6 & 1023;
}

static inline bool uno_signature_is_message(unsigned signature) {
    return uno_signature_op(signature) >= UNO_OPS_MESSAGE;
}

/* Return true if the wait ends by something that comes to the PE: the detail of an operation of messages is
 * then odd. */
static inline bool uno_signature_reads(unsigned signature) {
    return uno_signature_is_message(signature) && uno_signature_detail(signature) & 1;
}

/* Bytes for the name of any operation. */
enum { UNO_SIGNATURE_TEXT = 64 };

/* Write the name of the operation as its caller wrote it: "p_reduceAdd32". Returns text. */
const char *uno_signature_text(unsigned signature, char text[UNO_SIGNATURE_TEXT]);

/* Return the name of an operation without its detail; NULL: none that is linked here. */
const char *uno_signature_name(unsigned op);

/* The knowledge of each other's data that the members of a group need in an operation. A unit that cannot
 * show all data to all members may do less, and pass other data in place of each member's that have the same
 * outcome. */
enum uno_learns {
    UNO_LEARNS_ALL,
    UNO_LEARNS_NOTHING,
    UNO_LEARNS_AND,  /* all first words, combined bit by bit */
    UNO_LEARNS_OR,   /* likewise */
    UNO_LEARNS_PUT,  /* the first word of the one member whose second word is 1; the other members' is 0 */
    UNO_LEARNS_ONE,  /* the data of the PE pe->wanted */
    UNO_LEARNS_ROOT, /* likewise, which is the same PE at all members */
    UNO_LEARNS_FOLD, /* the first words of all members, combined in PE order */
    UNO_LEARNS_VOTES /* all data; each bit is a question to all members */
};

struct uno_function {
    enum uno_learns learns;
    int bits; /* the lowest bits of a member's words that count; the rest are 0 */
    /* UNO_LEARNS_FOLD: combine both values into *left. It is associative. */
    void (*combine)(uint64_t *left, const uint64_t *right);
    bool ordered;     /* only in PE order the outcome has the same bits: a NaN may have any of its own */
    bool repeats;     /* a value combined with itself is itself */
    uint64_t neutral; /* otherwise the value that changes no other */
};

/* The words for the other PE in reports of an operation in which a PE waits for it. */
struct uno_peer_words {
    const char *before; /* "from" it */
    const char *type;   /* the name of the message's number, "type"; NULL: it has none */
    bool communicator;  /* the message is one of a communicator's, where it shows room for one */
};

/* A family of operations. */
struct uno_ops {
    unsigned first, count;   /* numbers of its operations */
    const char *const *name; /* the name of each, without the detail */
    /* Write the name with the detail. NULL: the name is complete. */
    void (*text)(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail);
    /* Describe what is learned in the operation, in a job of n PEs. NULL: all data, in every operation of the
     * family. */
    void (*function)(struct uno_function *function, unsigned signature, int n);
    struct uno_peer_words (*peer)(unsigned signature); /* NULL: no PE waits for another one */
};

struct uno_peer_words uno_signature_peer(unsigned signature);

/* Describe what is learned in an operation of a job of n PEs, in which each member puts so many words. */
void uno_signature_function(struct uno_function *function, unsigned signature, unsigned words, int n);

/* The linker collects the families of a program or library in a section of this name, so that no list has to
 * name them: each program knows the operations that it links. */
#define UNO_OPS_REGISTER(ops)                                                                                \
    static const struct uno_ops *const ops##_registered __attribute__((section("uno_ops"), used)) = &(ops)

#endif
