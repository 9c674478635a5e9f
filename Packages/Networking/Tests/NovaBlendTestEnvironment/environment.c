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

static sem_t asked, released;

__attribute__((constructor)) static void prepare(void) {
    sem_init(&asked, 0, 0);
    sem_init(&released, 0, 0);
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("https_proxy", "http://127.0.0.1:1", 1);
    setenv("all_proxy", "http://127.0.0.1:1", 1);
    setenv("no_proxy", "proxied.test", 1);
}

typedef int lookup(const char *, const char *, const struct addrinfo *, struct addrinfo **);

// Replaces the function of the C library, also for libcurl.
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
    if (node && strcmp(node, "held.test") == 0) {
        sem_post(&asked);
        while (sem_wait(&released) != 0) continue;
        return EAI_NONAME;
    }
    // The host that the environment exempts from its proxy has an address only here.
    if (node && strcmp(node, "proxied.test") == 0) node = "127.0.0.1";
    lookup *next = (lookup *)dlsym(RTLD_NEXT, "getaddrinfo");
    return next ? next(node, service, hints, result) : EAI_FAIL;
}

bool held_lookup_wait(void) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 10;
    return sem_timedwait(&asked, &end) == 0;
}

void held_lookup_release(void) { sem_post(&released); }

static atomic_int terminal_opens;

typedef FILE *open_function(const char *, const char *);

// Replaces the function of the C library, also for OpenSSL, which asks for a passphrase on the
// terminal. Nobody answers here.
FILE *fopen(const char *path, const char *mode) {
    if (strcmp(path, "/dev/tty") == 0) {
        atomic_fetch_add(&terminal_opens, 1);
        path = "/dev/null";
    }
    open_function *next = (open_function *)dlsym(RTLD_NEXT, "fopen");
    return next ? next(path, mode) : NULL;
}

int terminal_open_count(void) { return atomic_load(&terminal_opens); }
