#include "text.h"

#include <stdbool.h>
#include <stdio.h>

void print_number(int width, double value) {
    char text[32] = "-";
    if (value >= 0)
        snprintf(text, sizeof text,
                 value < 0.0995  ? "%.4f"
                 : value < 0.995 ? "%.3f"
                 : value < 9.95  ? "%.2f"
                 : value < 99.5  ? "%.1f"
                                 : "%.0f",
                 value);
    printf("%*s", width, text);
}

const char *size_text(uint64_t bytes, const char *unit) {
    static char text[32];
    bool mega = bytes >= 1 << 20, kilo = bytes >= 1024 && bytes % 1024 == 0;
    snprintf(text, sizeof text, "%llu %s",
             (unsigned long long)bytes >> (mega   ? 20
                                           : kilo ? 10
                                                  : 0),
             mega   ? "MB"
             : kilo ? "KB"
                    : unit);
    return text;
}
