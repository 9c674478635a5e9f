#ifndef NOVABLEND_CXXHASH_H
#define NOVABLEND_CXXHASH_H

#include <stddef.h>
#include <stdint.h>

/// XXH3 (64 bits) over three stretches of bytes as if they were one.
uint64_t nb_xxh3_64(const void *first, size_t first_length, const void *second,
                    size_t second_length, const void *third, size_t third_length);

/// The same over any number of stretches. NULL when there is no memory.
void *nb_xxh3_begin(void);
void nb_xxh3_add(void *state, const void *bytes, size_t length);
/// The hash of all that was added.
uint64_t nb_xxh3_value(const void *state);
void nb_xxh3_free(void *state);

#endif
