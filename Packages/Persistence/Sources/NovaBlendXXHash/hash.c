#include "NovaBlendXXHash.h"

#include "../NovaBlendSystemXXHash/shim.h"

uint64_t nb_xxh3_64(const void *first, size_t first_length, const void *second,
                    size_t second_length, const void *third, size_t third_length) {
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    if (first_length > 0) XXH3_64bits_update(&state, first, first_length);
    if (second_length > 0) XXH3_64bits_update(&state, second, second_length);
    if (third_length > 0) XXH3_64bits_update(&state, third, third_length);
    return XXH3_64bits_digest(&state);
}

void *nb_xxh3_begin(void) {
    XXH3_state_t *state = XXH3_createState();
    if (state) XXH3_64bits_reset(state);
    return state;
}

void nb_xxh3_add(void *state, const void *bytes, size_t length) {
    if (length > 0) XXH3_64bits_update(state, bytes, length);
}

uint64_t nb_xxh3_value(const void *state) { return XXH3_64bits_digest(state); }

void nb_xxh3_free(void *state) { XXH3_freeState(state); }
