#define _GNU_SOURCE
#include "symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The wanted symbols, and their addresses. */
struct wanted {
    const char *const *names;
    int count;
    uint64_t *addresses;
};

/* Note the symbols of one table. bias: the distance of addresses in memory from those in the file. */
static void look_into_table(const char *file, const Elf64_Shdr *table, const Elf64_Shdr *strings,
                            uint64_t bias, const struct wanted *wanted) {
    const Elf64_Sym *symbol = (const void *)(file + table->sh_offset);
    for (size_t k = 0; k < table->sh_size / sizeof *symbol; k++) {
        if (symbol[k].st_name >= strings->sh_size || !symbol[k].st_value)
            continue;
        const char *name = file + strings->sh_offset + symbol[k].st_name;
        for (int i = 0; i < wanted->count; i++)
            if (strcmp(name, wanted->names[i]) == 0)
                wanted->addresses[i] = bias + symbol[k].st_value;
    }
}

/* Return true if the section lies within the file. */
static bool is_within(const Elf64_Shdr *section, size_t size) {
    return section->sh_offset <= size && section->sh_size <= size - section->sh_offset;
}

static void look_into_image(const char *file, size_t size, uint64_t start, const struct wanted *wanted) {
    const Elf64_Ehdr *head = (const void *)file;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_phoff > size || head->e_shoff > size ||
        head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr) ||
        head->e_phnum > (size - head->e_phoff) / sizeof(Elf64_Phdr))
        return;
    const Elf64_Phdr *part = (const void *)(file + head->e_phoff), *end = part + head->e_phnum;
    while (part < end && part->p_type != PT_LOAD)
        part++;
    if (part == end)
        return;
    const Elf64_Shdr *section = (const void *)(file + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++)
        if (section[i].sh_type == SHT_DYNSYM && section[i].sh_link < head->e_shnum &&
            is_within(&section[i], size) && is_within(&section[section[i].sh_link], size))
            look_into_table(file, &section[i], &section[section[i].sh_link], start - part->p_vaddr, wanted);
}

static void look_into(const char *path, uint64_t start, const struct wanted *wanted) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (file >= 0 && fstat(file, &st) == 0 && st.st_size > 0) {
        void *all = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (all != MAP_FAILED) {
            look_into_image(all, (size_t)st.st_size, start, wanted);
            munmap(all, (size_t)st.st_size);
        }
    }
    if (file >= 0)
        close(file);
}

bool uno_symbols_find(pid_t process, const char *prefix, bool own, const char *const *names, int count,
                      uint64_t *addresses) {
    struct wanted wanted = {names, count, addresses};
    char name[64], line[PATH_MAX + 128], program[PATH_MAX] = "";
    memset(addresses, 0, (size_t)count * sizeof *addresses);
    snprintf(name, sizeof name, "/proc/%d/exe", (int)process);
    if (own && readlink(name, program, sizeof program - 1) < 0)
        return false;
    snprintf(name, sizeof name, "/proc/%d/maps", (int)process);
    FILE *maps = fopen(name, "re");
    while (maps && !addresses[0] && fgets(line, sizeof line, maps)) {
        unsigned long start, offset;
        int at = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%lx-%*x %*s %lx %*s %*s %n", &start, &offset, &at) < 2 || !at || offset ||
            line[at] != '/')
            continue;
        const char *base = strrchr(line, '/') + 1;
        if (strncmp(base, prefix, strlen(prefix)) == 0 || strcmp(line + at, program) == 0)
            look_into(line + at, start, &wanted);
    }
    if (maps)
        fclose(maps);
    return addresses[0];
}
