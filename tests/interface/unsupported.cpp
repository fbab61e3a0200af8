#include "unsupported.c"
