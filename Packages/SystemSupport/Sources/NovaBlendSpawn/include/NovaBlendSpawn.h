#pragma once

// Do not include headers of the C library here. Otherwise Swift may attribute their types to this
// module, and code that uses the types would have to import it.

/// Makes the new process close all descriptors from `first` (glibc 2.34 or newer). Swift cannot see
/// the C library's own function, which requires `_GNU_SOURCE`. `actions` is a
/// `posix_spawn_file_actions_t`.
int nb_close_from(void *actions, int first);

/// Returns `POSIX_SPAWN_SETSID`. Swift cannot see the constant, which requires `_GNU_SOURCE`.
short nb_new_session_flag(void);
