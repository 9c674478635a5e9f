// Starts programs, ends them, and measures their memory and CPU time.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drive.h"

extern char **environ;

// Seconds that a program has to exit after its input was closed.
static const double EXIT_TIMEOUT = 3;
// Seconds after which the driver kills a program that hangs, and exits.
static const unsigned RUN_TIMEOUT = 300;
static volatile pid_t running_child;

static void kill_child(int signal) {
    (void)signal;
    if (running_child > 0) kill(running_child, SIGKILL);
    _exit(3);
}

struct child start(char *const arguments[]) {
    int input[2], output[2];
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) fail("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    if (getenv("DRIVE_STDERR") == NULL) {
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    // The driver ignores SIGPIPE, and a child would inherit that.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t pid;
    if (posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments, environ) != 0) {
        fail(arguments[0]);
    }
    running_child = pid;
    signal(SIGALRM, kill_child);
    alarm(RUN_TIMEOUT);
    close(input[0]);
    close(output[1]);
    return (struct child){pid, input[1], output[0]};
}

// Reads the rest of the output, because the child cannot exit while a write blocks.
static void drain(int descriptor, double deadline) {
    static char buffer[1 << 16];
    struct pollfd entry = {descriptor, POLLIN, 0};
    while (poll(&entry, 1, (int)((deadline - now()) * 1000)) > 0 && now() < deadline) {
        if (read(descriptor, buffer, sizeof buffer) <= 0) return;
    }
}

struct usage finish(struct child *child) {
    double deadline = now() + EXIT_TIMEOUT;
    if (child->in >= 0) close(child->in);
    drain(child->out, deadline);
    close(child->out);
    struct rusage used;
    int status;
    while (wait4(child->pid, &status, WNOHANG, &used) == 0) {
        if (now() > deadline) kill(child->pid, SIGKILL);
        usleep(2000);
    }
    alarm(0);
    return (struct usage){
        (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6,
        (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6,
        used.ru_maxrss,
        status,
    };
}

long memory_kib(pid_t pid, const char *name) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    long kib = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) kib = atol(line + strlen(name) + 1);
    }
    fclose(file);
    return kib;
}

int run_command(int count, char **arguments) {
    if (count < 1) return 64;
    static char buffer[1 << 18];
    double start_time = now();
    struct child child = start(arguments);
    close(child.in);
    child.in = -1;
    size_t bytes = 0;
    ssize_t count_read;
    while ((count_read = read(child.out, buffer, sizeof buffer)) > 0) {
        bytes += (size_t)count_read;
    }
    double seconds = now() - start_time;
    struct usage used = finish(&child);
    if (used.status != 0) {
        fprintf(stderr, "%s failed\n", arguments[0]);
        return 1;
    }
    printf("{\"seconds\":%.9f,\"bytes\":%zu,\"peak_kib\":%ld,\"user\":%.6f,\"system\":%.6f}\n",
           seconds, bytes, used.peak_kib, used.user, used.system);
    return 0;
}
