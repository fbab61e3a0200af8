#ifndef PAPERS_GENERIC_H
#define PAPERS_GENERIC_H
#endif
