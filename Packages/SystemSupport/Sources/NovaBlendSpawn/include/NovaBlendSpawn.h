#pragma once

#include <spawn.h>

/// Has the new process close every descriptor from `first` on (glibc 2.34). Swift does not see the
/// C library's own function, which needs `_GNU_SOURCE`.
int nb_close_from(posix_spawn_file_actions_t *actions, int first);

/// `POSIX_SPAWN_SETSID`, for the same reason.
short nb_new_session_flag(void);
