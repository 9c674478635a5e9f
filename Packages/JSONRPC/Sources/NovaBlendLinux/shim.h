#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/// Opens a descriptor that becomes readable when process `pid` exits (Linux 5.3). Returns -1 with
/// errno on failure.
static inline int nb_pidfd_open(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

/// Writes as much as possible without blocking, even if the descriptor is blocking. Returns -1 with
/// errno if nothing could be written, or if the descriptor does not support this (a file; a pipe
/// before Linux 6.4).
static inline ssize_t nb_write_without_blocking(int descriptor, const void *bytes, size_t count) {
    const int rwf_nowait = 0x8;
    const struct iovec part = {(void *)bytes, count};
    // The two halves of the offset; -1 means the current position.
    return syscall(SYS_pwritev2, descriptor, &part, 1L, -1L, -1L, rwf_nowait);
}
