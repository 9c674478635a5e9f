#ifndef NOVABLEND_CSIMDJSON_H
#define NOVABLEND_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parsed document: simdjson's tape and strings, immutable from then on.
typedef struct nb_json_document nb_json_document;

typedef enum {
    NB_JSON_OK = 0,
    NB_JSON_MALFORMED = 1,
    NB_JSON_TOO_DEEP = 2,
    NB_JSON_NO_MEMORY = 3,
} nb_json_status;

/// Parses a whole text, behind which `slack` bytes more may be read, whatever they are. `depth`
/// bounds the nesting of arrays and objects. On success `*document` is to be freed by nb_json_free;
/// otherwise `*reason` is a text that lives for ever.
nb_json_status nb_json_parse(const uint8_t *bytes, size_t length, size_t slack, size_t depth,
                             nb_json_document **document, const char **reason);

/// The tape, as simdjson's doc/tape.md describes it.
const uint64_t *nb_json_tape(const nb_json_document *document);

/// The strings that the tape points into: four bytes of length, then UTF-8.
const uint8_t *nb_json_strings(const nb_json_document *document);

void nb_json_free(nb_json_document *document);

/// Writes the bytes as they stand within a JSON string (RFC 8259, section 7) to `output`, which has
/// room for six times as many and 32 more. Gives how many they became.
size_t nb_json_escape(const uint8_t *text, size_t length, uint8_t *output);

#ifdef __cplusplus
}
#endif

#endif
