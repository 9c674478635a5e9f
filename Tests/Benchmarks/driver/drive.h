// Shared by the subcommands of the driver.
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct child {
    pid_t pid;
    int in;   // writes to its standard input; -1 if closed
    int out;  // reads from its standard output
};

struct usage {
    double user, system;
    long peak_kib;
    int status;  // as of wait(2)
};

int run_command(int count, char **arguments);
int rpc_command(int count, char **arguments);
int serve_command(int count, char **arguments);
int load_command(int count, char **arguments);
int hold_command(int count, char **arguments);
int replace_command(int count, char **arguments);

// Prints the message and errno, and exits.
_Noreturn void fail(const char *message);
// Seconds on the monotonic clock.
double now(void);
void sort(double *values, size_t count);
// `values` are sorted; `fraction` is from 0 to 1.
double percentile(const double *values, size_t count, double fraction);

struct child start(char *const arguments[]);
// Closes the pipes, waits for the exit, and kills the child if it does not exit in time.
struct usage finish(struct child *child);
// A field of /proc/PID/status in KiB, such as VmRSS.
long memory_kib(pid_t pid, const char *name);
// Connects to a port of this machine. A receive buffer of 0 bytes means the system's default.
int connect_to(int port, int receive_buffer);
// Allows as many open descriptors as the hard limit does.
void raise_descriptor_limit(void);
void write_all(int descriptor, const void *bytes, size_t count);
