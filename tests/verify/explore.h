/* The command of each model: it runs the checker for each sequence of so many steps. */

#ifndef EXPLORE_H
#define EXPLORE_H

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

enum { ALL = 1000000000 }; /* executions that an exhaustive search is not expected to reach */

/* Every schedule with at most so many context switches, with loads that go back one value (bound) or as far
 * as the checker's memory does (deep); or so many random ones, which go back as far. */
template <typename Model>
static bool explore(rl::scheduler_type_e how, unsigned limit, std::ostream &report,
                    unsigned long *executions) {
    rl::test_params params;
    params.search_type = how;
    params.progress_stream = params.output_stream = &report;
    params.execution_depth_limit = 4000;
    params.iteration_count = how == rl::sched_bound ? ALL : limit;
    params.context_bound = how == rl::sched_bound ? limit : 1;
    bool good = rl::simulate<Model>(params);
    *executions += params.stop_iteration;
    return good;
}

/* choices: the number of different steps. The model reads its steps from sequence[0 .. *length - 1]. */
template <typename Model>
static int explore_main(int argc, char **argv, const std::vector<unsigned> &choices, unsigned *sequence,
                        int longest, int *length, const std::string &what) {
    bool good = argc == 5 || argc == 7;
    std::string wait = good ? argv[1] : "", search = good ? argv[3] : "";
    *length = good ? atoi(argv[2]) : 0;
    unsigned limit = good ? (unsigned)atoi(argv[4]) : 0;
    if ((wait != "poll" && wait != "sleep" && wait != "spin") ||
        (search != "bound" && search != "deep" && search != "random") || *length < 1 || *length > longest ||
        limit < 1) {
        fprintf(stderr, "usage: %s poll|sleep|spin LENGTH(1-%d) bound|deep|random LIMIT [FIRST LAST]\n",
                argv[0], longest);
        return 2;
    }
    sleeps = wait == "sleep";
    spins = wait == "spin";
    history_deep = search == "deep";
    rl::scheduler_type_e how = search == "random" ? rl::sched_random : rl::sched_bound;
    unsigned long count = 1, executions = 0;
    for (int i = 0; i < *length; i++)
        count *= choices.size();
    unsigned long first = argc > 5 ? strtoul(argv[5], NULL, 10) : 0;
    unsigned long last = argc > 5 ? strtoul(argv[6], NULL, 10) : count - 1;
    for (unsigned long s = first; s <= last && s < count; s++) {
        unsigned long rest = s;
        std::string text;
        for (int i = 0; i < *length; i++, rest /= choices.size()) {
            sequence[i] = choices[rest % choices.size()];
            text += " " + std::to_string(sequence[i]);
        }
        std::ostream nowhere(NULL);
        unsigned long before = executions;
        if (!explore<Model>(how, limit, nowhere, &executions)) {
            explore<Model>(how, limit, std::cerr, &executions); /* the same again, with its history */
            printf("sequence %lu,%s: WRONG\n", s, text.c_str());
            return 1;
        }
        if (how == rl::sched_bound && executions - before >= ALL) {
            printf("sequence %lu,%s: not searched through after %d executions\n", s, text.c_str(), ALL);
            return 1;
        }
    }
    printf("%lu sequences of %d operations, %s: %lu executions, all right\n",
           (last < count ? last : count - 1) - first + 1, *length, what.c_str(), executions);
    return 0;
}

#endif
