// Functions of posix_spawn that the C library declares only with _DEFAULT_SOURCE, so that Swift's Glibc module leaves them out.
#ifndef PAYRELAY_SPAWN_SHIMS_H
#define PAYRELAY_SPAWN_SHIMS_H

#ifdef __linux__
#include <spawn.h>

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
#endif

#endif
