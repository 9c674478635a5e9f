#define _GNU_SOURCE
#include "NovaBlendSpawn.h"

#include <spawn.h>

int nb_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

short nb_new_session_flag(void) {
    return POSIX_SPAWN_SETSID;
}
