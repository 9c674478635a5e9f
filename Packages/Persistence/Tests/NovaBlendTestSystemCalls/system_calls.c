#define _GNU_SOURCE
#include "system_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local struct {
    int count, first, last, error;
} calls[5];
static _Thread_local size_t limit;

void system_calls_reset(void) {
    memset(calls, 0, sizeof calls);
    limit = 0;
}

int system_calls_count(enum system_call call) {
    return calls[call].count;
}

void system_calls_fail(enum system_call call, int first, int last, int error) {
    calls[call].first = first;
    calls[call].last = last;
    calls[call].error = error;
}

void system_calls_shorten(int length) {
    limit = (size_t)length;
}

static int fails(enum system_call call) {
    int number = ++calls[call].count;
    if (number < calls[call].first || number > calls[call].last) return 0;
    errno = calls[call].error;
    return 1;
}

static size_t shortened(size_t length) {
    return limit && length > limit ? limit : length;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

int fsync(int file) {
    return fails(system_call_fsync) ? -1 : REAL(fsync)(file);
}

int fdatasync(int file) {
    return fails(system_call_fdatasync) ? -1 : REAL(fdatasync)(file);
}

int fstat(int file, struct stat *status) {
    return fails(system_call_fstat) ? -1 : REAL(fstat)(file, status);
}

ssize_t pread(int file, void *buffer, size_t length, off_t offset) {
    if (fails(system_call_pread)) return -1;
    return REAL(pread)(file, buffer, shortened(length), offset);
}

ssize_t pwrite(int file, const void *buffer, size_t length, off_t offset) {
    if (fails(system_call_pwrite)) return -1;
    return REAL(pwrite)(file, buffer, shortened(length), offset);
}
