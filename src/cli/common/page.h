/* --html: what a command measured, as a page for people: one file, which loads nothing from elsewhere.
 *
 * A page is share/unisono/report.html, the same for all commands, with the figures behind it as JSON. Its
 * sources are in cli/page/: what it shows is decided there, by the figures alone. */

#ifndef UNO_PAGE_H
#define UNO_PAGE_H

#include <jansson.h>
#include <stdbool.h>

#include "aside.h"

struct page {
    struct aside output;
    const char *kind; /* of the figures: the name of a file of page/ */
    int model;        /* report.html */
};

/* Before the figures are there: open what is needed. teller: begins messages, "unisono run: --html". False:
 * it has said what is wrong. */
bool page_open(struct page *page, const char *teller, const char *kind, const char *path);

/* Write the page, with the figures in the form that these flags of json_dumpf give them, under its name.
 * False: likewise, and there is nothing of it. */
bool page_write(struct page *page, const json_t *figures, size_t flags);

#endif
