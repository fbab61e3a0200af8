#define _GNU_SOURCE
#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "here.h"

bool page_open(struct page *page, const char *teller, const char *kind, const char *path) {
    char model[PATH_MAX];
    here_path(model, sizeof model, UNO_SHARE, "report.html");
    page->kind = kind;
    page->model = open(model, O_RDONLY | O_CLOEXEC);
    if (page->model < 0) {
        fprintf(stderr, "%s: cannot read %s: %s\n", teller, model, strerror(errno));
        return false;
    }
    return aside_open(&page->output, teller, path, 0);
}

static bool copy_model(const struct page *page) {
    struct stat model;
    if (fstat(page->model, &model))
        return false;
    for (off_t at = 0; at < model.st_size;)
        if (sendfile(page->output.as.file, page->model, &at, (size_t)(model.st_size - at)) <= 0)
            return false;
    return true;
}

/* JSON, in which no text ends the element that it stands in: a callback of jansson. */
static int write_text(const char *text, size_t size, void *f) {
    for (size_t i = 0; i < size; i++)
        if ((text[i] == '<' ? fputs("\\u003c", f) : fputc(text[i], f)) == EOF)
            return -1;
    return 0;
}

static bool write_figures(const struct page *page, const json_t *figures, size_t flags) {
    FILE *f = uno_aside_stream(&page->output.as);
    if (!f)
        return false;
    fprintf(f, "<script type=\"application/json\" id=\"figures\" data-kind=\"%s\">\n", page->kind);
    bool written = json_dump_callback(figures, write_text, f, flags) == 0;
    fputs("\n</script>\n", f);
    written = written && !ferror(f);
    return (fclose(f) == 0) && written;
}

bool page_write(struct page *page, const json_t *figures, size_t flags) {
    bool written = copy_model(page) && write_figures(page, figures, flags);
    close(page->model);
    if (written)
        return aside_finish(&page->output);
    fprintf(stderr, "%s: %s: cannot write it: %s\n", page->output.teller, page->output.as.path,
            strerror(errno));
    aside_drop(&page->output);
    return false;
}
