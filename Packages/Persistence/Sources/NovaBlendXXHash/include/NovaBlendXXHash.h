#ifndef NOVABLEND_CXXHASH_H
#define NOVABLEND_CXXHASH_H

#include <stddef.h>
#include <stdint.h>

/// The 64-bit XXH3 hash of three buffers, concatenated.
uint64_t nb_xxh3_64(const void *first, size_t first_length, const void *second,
                    size_t second_length, const void *third, size_t third_length);

/// Begins a hash of any number of buffers. Returns NULL if memory is exhausted.
void *nb_xxh3_begin(void);
void nb_xxh3_add(void *state, const void *bytes, size_t length);
/// The hash of the buffers added so far.
uint64_t nb_xxh3_value(const void *state);
void nb_xxh3_free(void *state);

#endif
