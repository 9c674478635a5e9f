// A small program that measures other programs. It uses little time and memory itself, so that it
// does not distort the results.
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
    {"run", run_command, "COMMAND...: run a command and read its output to the end"},
    {"rpc", rpc_command, "[options] -- COMMAND...: send JSON-RPC requests to a command"},
    {"serve", serve_command, "/PATH=FILE...: serve files from memory over HTTP"},
    {"load", load_command, "PORT CONNECTIONS SECONDS PATH [BODIES]: put load on an HTTP server"},
    {"hold", hold_command, "PORT CONNECTIONS PATH [slowly]: keep connections open after a response, or "
                           "after its first byte, until standard input ends"},
    {"replace", replace_command, "DIRECTORY BYTES COUNT: replace a file durably"},
};

void fail(const char *message) {
    fprintf(stderr, "drive: %s: %s\n", message, strerror(errno));
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

double percentile(const double *values, size_t count, double fraction) {
    return count == 0 ? 0 : values[(size_t)((double)(count - 1) * fraction + 0.5)];
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
