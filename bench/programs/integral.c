#include "programs.h"

double integral_trapezoids(double end, long count, long from, long to) {
    double width = end / (double)count, left = (double)from * width, right = (double)to * width;
    double sum = (left * left + right * right) / 2;
    for (long i = from + 1; i < to; i++) {
        double x = (double)i * width;
        sum += x * x;
    }
    return from < to ? sum * width : 0;
}

double integral_pi(long count, long from, long to) {
    double width = 1 / (double)count, sum = 0;
    for (long i = from; i < to; i++) {
        double x = ((double)i + 0.5) * width;
        sum += 4 / (1 + x * x);
    }
    return sum * width;
}
