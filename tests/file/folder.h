/* A folder for the files of a test, known to all PEs. */

#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

enum { FOLDER = 64 };

/* Make the folder, by PE 0, which removes it when all PEs have come and it is empty. All PEs call this. */
void folder_make(char folder[FOLDER]);
void folder_remove(const char *folder);

#endif
