/* Which MPI library a program needs. Its ELF file shows whether it has one inside, and the system's loader
 * tells which libraries it would load, directly or through others; it is asked as ldd asks it, and nothing of
 * the program runs. */

#define _GNU_SOURCE
#include "program.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ASK_SECONDS = 20, LIST = 1 << 16 };

/* ---- other programs ---------------------------------------------------------------------------------- */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Read until the end of input or of the time. Return true if the end of input was reached. */
static bool drain(int fd, char *text, size_t size) {
    double deadline = seconds() + ASK_SECONDS;
    size_t length = 0;
    char rest[4096];
    for (;;) {
        double left = deadline - seconds();
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        text[length] = 0;
        if (left <= 0 || poll(&ready, 1, (int)(left * 1000) + 1) <= 0)
            return false;
        bool full = length == size - 1;
        ssize_t got = full ? read(fd, rest, sizeof rest) : read(fd, text + length, size - 1 - length);
        if (got <= 0)
            return got == 0;
        length += full ? 0 : (size_t)got;
    }
}

bool mpi_ask(char *const argv[], char *text, size_t size) {
    int ends[2];
    *text = 0;
    if (pipe2(ends, O_CLOEXEC))
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        unsetenv("LD_PRELOAD"); /* the libraries that it loads are not the program's */
        dup2(open("/dev/null", O_RDONLY), 0);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        execv(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    bool good = pid > 0 && drain(ends[0], text, size);
    close(ends[0]);
    if (pid < 0)
        return false;
    if (!good)
        kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return good;
}

/* ---- the ELF file ------------------------------------------------------------------------------------ */

struct elf {
    const unsigned char *bytes;
    size_t size;
};

/* Copy a part of the file. Return false if it does not lie in the file, which then is damaged. */
static bool copy(const struct elf *elf, uint64_t offset, void *to, size_t size) {
    bool inside = offset <= elf->size && size <= elf->size - offset;
    if (inside)
        memcpy(to, elf->bytes + offset, size);
    return inside;
}

/* Write the path of the program's loader, or an empty text. */
static void interpreter(const struct elf *elf, const ElfW(Ehdr) * header, char path[PATH_MAX]) {
    ElfW(Phdr) p;
    *path = 0;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (copy(elf, header->e_phoff + (uint64_t)i * sizeof p, &p, sizeof p) && p.p_type == PT_INTERP &&
            p.p_filesz > 0 && p.p_filesz < PATH_MAX && copy(elf, p.p_offset, path, p.p_filesz))
            path[p.p_filesz] = 0;
}

/* Return the offset in the file of an address of the program. */
static uint64_t offset_of(const struct elf *elf, const ElfW(Ehdr) * header, uint64_t address) {
    ElfW(Phdr) p;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (copy(elf, header->e_phoff + (uint64_t)i * sizeof p, &p, sizeof p) && p.p_type == PT_LOAD &&
            address - p.p_vaddr < p.p_filesz)
            return p.p_offset + (address - p.p_vaddr);
    return elf->size;
}

/* Read the dynamic section: tell the names of the libraries that it needs, and keep the folders of its
 * DT_RPATH, which counts where there is no DT_RUNPATH. */
static void read_dynamic(const struct elf *elf, const ElfW(Ehdr) * header, struct mpi_file *file,
                         mpi_tell *tell, void *to) {
    uint64_t first = 0, end = 0, strings = elf->size;
    const char *text = (const char *)elf->bytes;
    bool new = false;
    ElfW(Phdr) p;
    ElfW(Dyn) d;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (copy(elf, header->e_phoff + (uint64_t)i * sizeof p, &p, sizeof p) && p.p_type == PT_DYNAMIC)
            first = p.p_offset, end = first + p.p_filesz;
    for (uint64_t at = first; at < end && copy(elf, at, &d, sizeof d) && d.d_tag != DT_NULL; at += sizeof d) {
        if (d.d_tag == DT_STRTAB)
            strings = offset_of(elf, header, d.d_un.d_ptr);
        new = new || d.d_tag == DT_RUNPATH;
    }
    for (uint64_t at = first; at < end && copy(elf, at, &d, sizeof d) && d.d_tag != DT_NULL; at += sizeof d) {
        if ((d.d_tag != DT_NEEDED && d.d_tag != DT_RPATH) || strings + d.d_un.d_val >= elf->size)
            continue;
        char value[PATH_MAX];
        size_t room = elf->size - (strings + d.d_un.d_val);
        snprintf(value, sizeof value, "%.*s", (int)(room < PATH_MAX ? room : PATH_MAX),
                 text + strings + d.d_un.d_val);
        if (d.d_tag == DT_NEEDED)
            tell(to, value, "");
        else if (!new)
            memcpy(file->folders, value, sizeof value);
    }
}

/* Return true if a table of symbols defines this function. */
static bool table_defines(const struct elf *elf, const ElfW(Ehdr) * header, const ElfW(Shdr) * table,
                          const char *name) {
    ElfW(Shdr) strings;
    ElfW(Sym) symbol;
    char text[64];
    size_t length = strlen(name) + 1;
    if (!copy(elf, header->e_shoff + (uint64_t)table->sh_link * sizeof strings, &strings, sizeof strings))
        return false;
    for (uint64_t at = 0; at + sizeof symbol <= table->sh_size; at += sizeof symbol) {
        if (!copy(elf, table->sh_offset + at, &symbol, sizeof symbol))
            return false;
        if (symbol.st_shndx != SHN_UNDEF && copy(elf, strings.sh_offset + symbol.st_name, text, length) &&
            memcmp(text, name, length) == 0)
            return true;
    }
    return false;
}

static bool defines(const struct elf *elf, const ElfW(Ehdr) * header, const char *name) {
    ElfW(Shdr) s;
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (copy(elf, header->e_shoff + (uint64_t)i * sizeof s, &s, sizeof s) &&
            (s.sh_type == SHT_SYMTAB || s.sh_type == SHT_DYNSYM) && table_defines(elf, header, &s, name))
            return true;
    return false;
}

/* ---- the libraries ----------------------------------------------------------------------------------- */

/* The names under which the loader knows MPI libraries. The last two are of a kind that no build is for. */
static const struct {
    const char *soname;
    enum mpi_build build;
} sonames[] = {
    {"libmpi.so.40", MPI_OPENMPI}, {"libmpi.so.12", MPI_MPICH},  {"libmpich.so.12", MPI_MPICH},
    {"libmpi_abi.so.", MPI_ABI},   {"libmpi.so.", MPI_NO_BUILD}, {"libmpich.so.", MPI_NO_BUILD},
};

/* Take the library as the program's if it is the first one with such a name. */
static void consider(void *to, const char *name, const char *file) {
    struct mpi_program *program = to;
    if (*program->library)
        return;
    for (size_t i = 0; i < sizeof sonames / sizeof *sonames; i++) {
        size_t length = strlen(sonames[i].soname);
        bool prefix = sonames[i].soname[length - 1] == '.';
        if (prefix ? strncmp(name, sonames[i].soname, length) : strcmp(name, sonames[i].soname))
            continue;
        program->build = sonames[i].build;
        snprintf(program->library, sizeof program->library, "%s", name);
        snprintf(program->file, sizeof program->file, "%s", file);
        return;
    }
}

/* A line of the loader's list is "name => path (address)" or "name => not found". */
void mpi_ask_loader(const char *path, const char *loader, mpi_tell *tell, void *to) {
    char *text = malloc(LIST), *save, name[MPI_SONAME], file[PATH_MAX];
    char *argv[] = {(char *)loader, "--list", (char *)path, NULL};
    if (text && mpi_ask(argv, text, LIST))
        for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
            int fields = sscanf(line, " %127s => %4095s", name, file);
            if (fields >= 1)
                tell(to, name, fields == 2 && *file == '/' ? file : "");
        }
    free(text);
}

/* Open and map a file. Return true if it is a program for this machine. The caller closes it in either
 * case. */
static bool open_elf(struct elf *elf, ElfW(Ehdr) * header, const char *path) {
    struct stat status;
    unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *elf = (struct elf){MAP_FAILED, 0};
    if (fd < 0)
        return false;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        elf->size = (size_t)status.st_size;
        elf->bytes = mmap(NULL, elf->size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    return elf->bytes != MAP_FAILED && copy(elf, 0, header, sizeof *header) &&
           memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == class &&
           (header->e_type == ET_EXEC || header->e_type == ET_DYN);
}

static void close_elf(const struct elf *elf) {
    if (elf->bytes != MAP_FAILED)
        munmap((void *)elf->bytes, elf->size);
}

void mpi_look(struct mpi_program *program) {
    ElfW(Ehdr) header;
    struct elf elf;
    char loader[PATH_MAX];
    if (open_elf(&elf, &header, program->path)) {
        interpreter(&elf, &header, loader);
        program->is_static = !*loader;
        program->has_own = defines(&elf, &header, "PMPI_Init");
        if (*loader && !program->has_own)
            mpi_ask_loader(program->path, loader, consider, program);
    }
    close_elf(&elf);
}

void mpi_read(const char *path, struct mpi_file *file, mpi_tell *tell, void *to) {
    ElfW(Ehdr) header;
    struct elf elf;
    *file->loader = *file->folders = 0;
    if (open_elf(&elf, &header, path)) {
        interpreter(&elf, &header, file->loader);
        read_dynamic(&elf, &header, file, tell, to);
    }
    close_elf(&elf);
}
