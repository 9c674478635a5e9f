// Measures programs from outside, and is small enough not to be what is measured.
#include "drive.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*run)(int, char **);
    const char *arguments;
} commands[] = {
    {"run", run_command, "COMMAND...: read its output to the end"},
    {"ask", ask_command, "[options] -- COMMAND...: talk JSON-RPC to it"},
    {"serve", serve_command, "/PATH=FILE...: answer GETs from memory"},
    {"load", load_command, "PORT CONNECTIONS SECONDS PATH [BODIES]: keep an HTTP server busy"},
    {"replace", replace_command, "DIRECTORY BYTES COUNT: replace a file durably"},
};

void fail(const char *what) {
    fprintf(stderr, "drive: %s: %s\n", what, strerror(errno));
    exit(1);
}

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

void sort(double *values, size_t count) { qsort(values, count, sizeof *values, compare); }

double percentile(const double *sorted, size_t count, double share) {
    return count == 0 ? 0 : sorted[(size_t)((double)(count - 1) * share + 0.5)];
}

void write_all(int descriptor, const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write");
        bytes = (const char *)bytes + written;
        count -= (size_t)written;
    }
}

int main(int count, char **arguments) {
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; count > 1 && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(arguments[1], commands[i].name) == 0) {
            return commands[i].run(count - 2, arguments + 2);
        }
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        fprintf(stderr, "drive %s %s\n", commands[i].name, commands[i].arguments);
    }
    return 64;
}
