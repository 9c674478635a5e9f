#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/// A descriptor that becomes readable when the process `pid` ends (Linux 5.3), or -1 with errno.
static inline int nb_pidfd_open(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}
