/* A folder for the files of a test, which all PEs know. */

#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

enum { FOLDER = 64 };

/* Made anew by PE 0, and removed by it when all have come, with nothing in it. All PEs call. */
void folder_make(char folder[FOLDER]);
void folder_remove(const char *folder);

#endif
