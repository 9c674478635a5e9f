#define _GNU_SOURCE
#include "NovaBlendFileCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

int nb_open_directory_without_links(const char *path) {
#ifdef SYS_openat2
    const struct open_how how = {
        .flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC,
        .resolve = RESOLVE_NO_SYMLINKS,
    };
    return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
#else
    (void)path;
    errno = ENOSYS;
    return -1;
#endif
}

void nb_start_writing(int file, int64_t start, int64_t length) {
    int saved = errno;
    sync_file_range(file, start, length, SYNC_FILE_RANGE_WRITE);
    errno = saved;
}

static int set_lock(int file, int64_t offset, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(file, F_OFD_SETLK, &lock);
}

int nb_lock_byte(int file, int64_t offset) {
    return set_lock(file, offset, F_WRLCK);
}

void nb_unlock_byte(int file, int64_t offset) {
    set_lock(file, offset, F_UNLCK);
}
