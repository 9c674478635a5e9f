// What the subcommands of the driver share.
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct child {
    pid_t pid;
    int in;   // its standard input
    int out;  // its standard output
};

struct usage {
    double user, system;
    long peak_kib;
};

int run_command(int count, char **arguments);
int ask_command(int count, char **arguments);
int serve_command(int count, char **arguments);
int load_command(int count, char **arguments);
int replace_command(int count, char **arguments);

_Noreturn void fail(const char *what);
double now(void);
void sort(double *values, size_t count);
double percentile(const double *sorted, size_t count, double share);

struct child start(char *const arguments[]);
struct usage finish(struct child *child);
// A line of /proc/PID/status such as VmRSS, in KiB.
long memory_kib(pid_t pid, const char *name);
void write_all(int descriptor, const void *bytes, size_t count);
