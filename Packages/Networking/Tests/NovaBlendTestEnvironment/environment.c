#define _GNU_SOURCE
#include "environment.h"

#include <dlfcn.h>
#include <netdb.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sem_t lookup_started, lookup_released;

__attribute__((constructor)) static void prepare(void) {
    sem_init(&lookup_started, 0, 0);
    sem_init(&lookup_released, 0, 0);
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("https_proxy", "http://127.0.0.1:1", 1);
    setenv("all_proxy", "http://127.0.0.1:1", 1);
    setenv("no_proxy", "proxied.test", 1);
}

typedef int lookup(const char *, const char *, const struct addrinfo *, struct addrinfo **);

// Replaces the function of the C library in this process, including libcurl.
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
    if (node && strcmp(node, "held.test") == 0) {
        sem_post(&lookup_started);
        while (sem_wait(&lookup_released) != 0) continue;
        return EAI_NONAME;
    }
    // no_proxy exempts this host, which has no address in the DNS.
    if (node && strcmp(node, "proxied.test") == 0) node = "127.0.0.1";
    lookup *next = (lookup *)dlsym(RTLD_NEXT, "getaddrinfo");
    return next ? next(node, service, hints, result) : EAI_FAIL;
}

bool held_lookup_wait(void) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 60;
    return sem_timedwait(&lookup_started, &end) == 0;
}

void held_lookup_release(void) { sem_post(&lookup_released); }

static atomic_int terminal_opens;

typedef FILE *open_function(const char *, const char *);

// Replaces the function of the C library in this process, including OpenSSL, which opens the
// terminal to ask for a passphrase. Counts such attempts and opens /dev/null instead.
FILE *fopen(const char *path, const char *mode) {
    if (strcmp(path, "/dev/tty") == 0) {
        atomic_fetch_add(&terminal_opens, 1);
        path = "/dev/null";
    }
    open_function *next = (open_function *)dlsym(RTLD_NEXT, "fopen");
    return next ? next(path, mode) : NULL;
}

int terminal_open_count(void) { return atomic_load(&terminal_opens); }
