#pragma once

// No header of the C library here: a module that includes one may become the owner of its types, and
// then Swift requires an import of this module for them.

/// Has the new process close every descriptor from `first` on (glibc 2.34). Swift does not see the
/// C library's own function, which needs `_GNU_SOURCE`. `actions` is a `posix_spawn_file_actions_t`.
int nb_close_from(void *actions, int first);

/// `POSIX_SPAWN_SETSID`, for the same reason.
short nb_new_session_flag(void);
