#ifndef NOVABLEND_SPAWNING_H
#define NOVABLEND_SPAWNING_H

#include <spawn.h>

/// Makes a pipe that no child inherits unless it is told to.
int nb_pipe(int ends[2]);

/// Closes all descriptors from `first` on in the child (glibc 2.34).
int nb_close_from(posix_spawn_file_actions_t *actions, int first);

#endif
