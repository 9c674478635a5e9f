#ifndef NOVABLEND_CFILECALLS_H
#define NOVABLEND_CFILECALLS_H

#include <stdint.h>

/// A descriptor of the directory `path`, with errno ELOOP where any component is a symbolic link
/// (Linux 5.6); -1 with errno ENOSYS where the system has no such call.
int nb_open_directory_without_links(const char *path);

/// Asks the disk to begin with `length` bytes from `start`, and waits for nothing. A hint: it makes
/// nothing durable, and what fails is told by the `fsync` that follows.
void nb_start_writing(int file, int64_t start, int64_t length);

/// Locks the byte at `offset` for this open file description, so that a second one cannot, in this
/// process or a different one; -1 with errno EAGAIN while it is locked. The last close of the
/// description unlocks it.
int nb_lock_byte(int file, int64_t offset);

/// Unlocks the byte, also where a process that was forked meanwhile still has the description open.
void nb_unlock_byte(int file, int64_t offset);

#endif
