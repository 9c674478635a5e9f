// Starting programs, ending them, and what they used.
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

// How long a program has to end by itself after its input ended, in seconds.
static const double PATIENCE = 3;
// When a program hangs, it and the driver end, in seconds.
static const unsigned LONGEST = 300;
static volatile pid_t running;

static void give_up(int signal) {
    (void)signal;
    if (running > 0) kill(running, SIGKILL);
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
    // SIGPIPE is ignored by the driver, and would be by the child.
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
    running = pid;
    signal(SIGALRM, give_up);
    alarm(LONGEST);
    close(input[0]);
    close(output[1]);
    return (struct child){pid, input[1], output[0]};
}

// Reads what is left, so that nobody is stuck in a write.
static void drain(int descriptor, double deadline) {
    static char buffer[1 << 16];
    struct pollfd entry = {descriptor, POLLIN, 0};
    while (poll(&entry, 1, (int)((deadline - now()) * 1000)) > 0 && now() < deadline) {
        if (read(descriptor, buffer, sizeof buffer) <= 0) return;
    }
}

struct usage finish(struct child *child) {
    double deadline = now() + PATIENCE;
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
    double began = now();
    struct child child = start(arguments);
    close(child.in);
    child.in = -1;
    size_t bytes = 0;
    ssize_t got;
    while ((got = read(child.out, buffer, sizeof buffer)) > 0) bytes += (size_t)got;
    double seconds = now() - began;
    struct usage used = finish(&child);
    printf("{\"seconds\":%.9f,\"bytes\":%zu,\"peak_kib\":%ld,\"user\":%.6f,\"system\":%.6f}\n",
           seconds, bytes, used.peak_kib, used.user, used.system);
    return 0;
}
