#define _GNU_SOURCE
#include "Spawning.h"

#include <fcntl.h>
#include <unistd.h>

int nb_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int nb_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
