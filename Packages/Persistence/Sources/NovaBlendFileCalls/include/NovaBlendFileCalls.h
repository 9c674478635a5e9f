#ifndef NOVABLEND_CFILECALLS_H
#define NOVABLEND_CFILECALLS_H

#include <stdint.h>
#include <sys/eventfd.h>

/// Opens the directory `path` with `openat2` (Linux 5.6). Returns a descriptor, or -1 with an
/// errno: ELOOP if any component is a symbolic link, ENOSYS if the system lacks the call.
int nb_open_directory_without_links(const char *path);

/// Asks the kernel to start writing `length` bytes from `start` to the disk, and does not wait.
/// This is a hint: it makes nothing durable, and the `fsync` that follows reports any error.
void nb_start_writing(int file, int64_t start, int64_t length);

/// Locks the byte at `offset` for this open file description. Returns -1 with errno EAGAIN if a
/// different description, in this process or another, has locked it. Closing the last descriptor of
/// the description unlocks the byte.
int nb_lock_byte(int file, int64_t offset);

/// Unlocks the byte at `offset` that `nb_lock_byte` locked, even if a forked process still has the
/// same open file description.
void nb_unlock_byte(int file, int64_t offset);

#endif
