#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/// A descriptor that becomes readable when the process `pid` ends (Linux 5.3), or -1 with errno.
static inline int nb_pidfd_open(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

/// Writes what fits without waiting, whether or not the descriptor waits otherwise; -1 with errno
/// when that is nothing, or when the descriptor cannot say (a file; a pipe before Linux 6.4).
static inline ssize_t nb_write_at_once(int descriptor, const void *bytes, size_t count) {
    const int rwf_nowait = 0x8;
    const struct iovec part = {(void *)bytes, count};
    // The offset, in two halves: -1 is the current one.
    return syscall(SYS_pwritev2, descriptor, &part, 1L, -1L, -1L, rwf_nowait);
}
