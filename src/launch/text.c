#include "text.h"

#include <string.h>

const char *uno_duration(double ns, char text[UNO_DURATION]) {
    static const char *const unit[] = {"ns", "us", "ms", "s"};
    int i = 0;
    for (; ns >= 999.5 && i < 3; i++)
        ns /= 1000;
    snprintf(text, UNO_DURATION, ns > 0 ? "%.*f %s" : "0",
             ns >= 99.95   ? 0
             : ns >= 9.995 ? 1
                           : 2,
             ns, unit[i]);
    return text;
}

void uno_bar(FILE *f, double share) {
    static const char bar[] = "##############################";
    int columns = (int)((double)(sizeof bar - 1) * (share < 1 ? share : 1) + 0.5);
    if (columns)
        fprintf(f, "  %.*s", columns, bar);
}

const char *uno_member(int k, const char *host, char text[UNO_MEMBER]) {
    snprintf(text, UNO_MEMBER, host ? "%d on %s" : "%d", k, host);
    return text;
}

int uno_member_width(int least, const struct uno_seats *seats, int n) {
    char text[UNO_MEMBER];
    int width = least;
    for (int k = 0; k < n; k++) {
        int length = (int)strlen(uno_member(k, uno_seats_host(seats, k), text));
        width = length > width ? length : width;
    }
    return width;
}
