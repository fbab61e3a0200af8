#include "numbers.h"

#include <stdio.h>

const char *number_text(double value, char text[NUMBER_TEXT]) {
    if (value < 0)
        snprintf(text, NUMBER_TEXT, "-");
    else
        snprintf(text, NUMBER_TEXT,
                 value < 0.0995  ? "%.4f"
                 : value < 0.995 ? "%.3f"
                 : value < 9.95  ? "%.2f"
                 : value < 99.5  ? "%.1f"
                                 : "%.0f",
                 value);
    return text;
}
