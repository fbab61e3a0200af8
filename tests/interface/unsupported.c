/* One use of the generic form with ARGUMENT: compiled by CMakeLists.txt with arguments that must, and that
 * must not, compile. */

#include <papers.h>

struct pair {
    int a, b;
};

int main(void) {
    int x = 0;
    int *pointer = &x;
    struct pair pair = {0, 0};
    long double quad = 0;
    (void)pointer, (void)pair, (void)quad;
    (void)FORM(ARGUMENT);
    return 0;
}
