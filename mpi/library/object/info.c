/* Info objects: pairs of key and value, in the order in which they were set. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/calls.h"
#include "library/object/address.h"
#include "library/object/info.h"

static struct uno_pair *find(const struct uno_mpi_info *info, const char *key) {
    for (int i = 0; i < info->pairs; i++)
        if (strcmp(info->pair[i].key, key) == 0)
            return &info->pair[i];
    return NULL;
}

static bool set(struct uno_mpi_info *info, const char *key, const char *value) {
    char *copy = strdup(value);
    struct uno_pair *pair = find(info, key), *all;
    if (pair && copy) {
        free(pair->value);
        pair->value = copy;
        return true;
    }
    char *name = strdup(key);
    if (!copy || !name || !(all = realloc(info->pair, (size_t)(info->pairs + 1) * sizeof *all))) {
        free(copy);
        free(name);
        return false;
    }
    info->pair = all;
    all[info->pairs++] = (struct uno_pair){name, copy};
    return true;
}

static void release(void *object) {
    struct uno_mpi_info *info = object;
    for (int i = 0; i < info->pairs; i++) {
        free(info->pair[i].key);
        free(info->pair[i].value);
    }
    free(info->pair);
}

struct uno_mpi_info *uno_info_copy(const struct uno_mpi_info *info) {
    struct uno_mpi_info *made = uno_object_make(UNO_INFO, sizeof *made, 0, release);
    for (int i = 0; info && i < info->pairs; i++)
        set(made, info->pair[i].key, info->pair[i].value);
    return made;
}

const char *uno_info_value(const struct uno_mpi_info *info, const char *key) {
    const struct uno_pair *pair = info ? find(info, key) : NULL;
    return pair ? pair->value : NULL;
}

int uno_mpi_info_create(MPI_Info *info) {
    *info = (MPI_Info)uno_info_copy(NULL)->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_info_dup(struct uno_mpi_info *info, MPI_Info *newinfo) {
    *newinfo = (MPI_Info)uno_info_copy(info)->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_info_free(MPI_Info *info) {
    struct uno_mpi_info *found = uno_find_info(*info);
    if (!found)
        return uno_error(MPI_ERR_INFO, "info is no info object");
    uno_object_drop(found);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

static int check_key(const char *key) {
    size_t length = strlen(key);
    if (length && length < MPI_MAX_INFO_KEY)
        return MPI_SUCCESS;
    return uno_error(MPI_ERR_INFO_KEY, "the key has %zu characters; it has 1 to %d", length,
                     MPI_MAX_INFO_KEY - 1);
}

int uno_mpi_info_set(struct uno_mpi_info *info, const char *key, const char *value) {
    int error = check_key(key);
    if (error)
        return error;
    if (strlen(value) >= MPI_MAX_INFO_VAL)
        return uno_error(MPI_ERR_INFO_VALUE, "the value has %zu characters; it has at most %d", strlen(value),
                         MPI_MAX_INFO_VAL - 1);
    return set(info, key, value) ? MPI_SUCCESS : uno_error(MPI_ERR_NO_MEM, "out of memory");
}

int uno_mpi_info_delete(struct uno_mpi_info *info, const char *key) {
    struct uno_pair *pair = find(info, key);
    if (!pair)
        return uno_error(MPI_ERR_INFO_NOKEY, "there is no key \"%.100s\"", key);
    free(pair->key);
    free(pair->value);
    memmove(pair, pair + 1, (size_t)(&info->pair[--info->pairs] - pair) * sizeof *pair);
    return MPI_SUCCESS;
}

int uno_mpi_info_get_nkeys(struct uno_mpi_info *info, int *nkeys) {
    *nkeys = info->pairs;
    return MPI_SUCCESS;
}

int uno_mpi_info_get_nthkey(struct uno_mpi_info *info, int n, char *key) {
    if (n < 0 || n >= info->pairs)
        return uno_error(MPI_ERR_ARG, "key %d of %d", n, info->pairs);
    strcpy(key, info->pair[n].key);
    return MPI_SUCCESS;
}

int uno_mpi_info_get(struct uno_mpi_info *info, const char *key, int valuelen, char *value, int *flag) {
    if (check_key(key))
        return MPI_ERR_INFO_KEY;
    const struct uno_pair *pair = find(info, key);
    *flag = pair != NULL;
    if (pair)
        snprintf(value, (size_t)valuelen + 1, "%s", pair->value);
    return MPI_SUCCESS;
}

int uno_mpi_info_get_valuelen(struct uno_mpi_info *info, const char *key, int *valuelen, int *flag) {
    if (check_key(key))
        return MPI_ERR_INFO_KEY;
    const struct uno_pair *pair = find(info, key);
    *flag = pair != NULL;
    if (pair)
        *valuelen = (int)strlen(pair->value);
    return MPI_SUCCESS;
}

int uno_mpi_info_get_string(struct uno_mpi_info *info, const char *key, int *buflen, char *value, int *flag) {
    int error = check_key(key);
    if (!error)
        error = uno_room_check("buflen", *buflen);
    if (!error)
        error = uno_list_check("value", value, *buflen);
    if (error)
        return error;
    const struct uno_pair *pair = find(info, key);
    *flag = pair != NULL;
    if (!pair)
        return MPI_SUCCESS;
    if (*buflen > 0)
        snprintf(value, (size_t)*buflen, "%s", pair->value);
    *buflen = (int)strlen(pair->value) + 1;
    return MPI_SUCCESS;
}
