/* Info objects before MPI_Init, between, and after MPI_Finalize: made in one of these times and used in
 * another. */

#include "mpi_check.h"

#include <string.h>

enum { INFOS = 200 };

static MPI_Info info[INFOS];

static void holds(MPI_Info one, const char *key, const char *value) {
    char text[MPI_MAX_INFO_VAL];
    int bytes = sizeof text, flag;
    GOOD(MPI_Info_get_string(one, key, &bytes, text, &flag));
    CHECK(flag && strcmp(text, value) == 0);
}

/* Use info objects: each third one is freed and made again, each third replaced by a copy; all get a pair
 * more. */
static void use(const char *key, const char *before) {
    for (int i = 0; i < INFOS; i++) {
        MPI_Info kept = info[i];
        if (before)
            holds(kept, before, "old");
        if (i % 3 == 0) {
            GOOD(MPI_Info_free(&info[i]));
            CHECK(info[i] == MPI_INFO_NULL);
            GOOD(MPI_Info_create(&info[i]));
        } else if (i % 3 == 1) {
            GOOD(MPI_Info_dup(kept, &info[i]));
            GOOD(MPI_Info_free(&kept));
            if (before)
                holds(info[i], before, "old");
        }
        GOOD(MPI_Info_set(info[i], key, "old"));
        GOOD(MPI_Info_set(info[i], "gone", "soon"));
        GOOD(MPI_Info_delete(info[i], "gone"));
    }
}

static int number(MPI_Info one) {
#ifdef MPI_ABI_VERSION
    return MPI_Info_toint(one);
#else
    return MPI_Info_c2f(one);
#endif
}

static MPI_Info of_number(int one) {
#ifdef MPI_ABI_VERSION
    return MPI_Info_fromint(one);
#else
    return MPI_Info_f2c(one);
#endif
}

static void environment(MPI_Info before) {
    static const char *const keys[] = {"command", "argv", "maxprocs", "host", "arch", "wdir"};
    MPI_Info now;
    char text[MPI_MAX_INFO_VAL];
    int flag;
    GOOD(MPI_Info_create_env(0, NULL, &now));
    for (int i = 0; i < 6; i++) {
        int bytes = sizeof text;
        GOOD(MPI_Info_get_string(before, keys[i], &bytes, text, &flag));
        CHECK(flag);
        holds(now, keys[i], text);
    }
    GOOD(MPI_Info_free(&now));
}

int main(int argc, char **argv) {
    MPI_Info env, left;
    char text[16];
    int size, keys, numbers[INFOS];
    for (int i = 0; i < INFOS; i++)
        GOOD(MPI_Info_create(&info[i]));
    GOOD(MPI_Info_create_env(0, NULL, &env));
    use("before", NULL);
    for (int i = 0; i < INFOS; i++) {
        numbers[i] = number(info[i]);
        CHECK(of_number(numbers[i]) == info[i]);
    }
    environment(env);

    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    snprintf(text, sizeof text, "%d", size);
    holds(env, "maxprocs", text);
    environment(env);
    for (int i = 0; i < INFOS; i++)
        CHECK(of_number(numbers[i]) == info[i]);
    use("between", "before");
    GOOD(MPI_Comm_set_info(MPI_COMM_WORLD, info[0]));
    GOOD(MPI_Comm_get_info(MPI_COMM_WORLD, &left));
    GOOD(MPI_Finalize());

    environment(env);
    GOOD(MPI_Info_free(&env));
    GOOD(MPI_Info_free(&left));
    use("after", "between");
    for (int i = 0; i < INFOS; i++) {
        CHECK(of_number(number(info[i])) == info[i]);
        GOOD(MPI_Info_get_nkeys(info[i], &keys));
        CHECK(keys == (i % 3 == 0 ? 1 : 3));
        GOOD(MPI_Info_free(&info[i]));
        CHECK(MPI_Info_set(info[i], "key", "value") != MPI_SUCCESS);
    }
    return EXIT_SUCCESS;
}
