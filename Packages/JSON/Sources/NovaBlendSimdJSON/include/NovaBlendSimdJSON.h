#ifndef NOVABLEND_SIMDJSON_H
#define NOVABLEND_SIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parsed document: the tape and strings of simdjson. It is immutable.
typedef struct nb_json_document nb_json_document;

typedef enum {
    NB_JSON_OK = 0,
    NB_JSON_MALFORMED = 1,
    NB_JSON_TOO_DEEP = 2,
    NB_JSON_NO_MEMORY = 3,
} nb_json_status;

/// Parses a text. `padding` is the number of bytes after the text that may be read; their values do
/// not matter. `depth` limits the nesting of arrays and objects. On success, the caller must free
/// `*document` with nb_json_free. On failure, `*reason` is a static string.
nb_json_status nb_json_parse(const uint8_t *bytes, size_t length, size_t padding, size_t depth,
                             nb_json_document **document, const char **reason);

/// The tape (see doc/tape.md of simdjson).
const uint64_t *nb_json_tape(const nb_json_document *document);

/// The strings that the tape refers to: four bytes of length, then UTF-8.
const uint8_t *nb_json_strings(const nb_json_document *document);

void nb_json_free(nb_json_document *document);

/// Escapes text for a JSON string (RFC 8259, section 7). `output` must have a capacity of at least
/// 6 * length + 32 bytes. Returns the number of bytes written.
size_t nb_json_escape(const uint8_t *text, size_t length, uint8_t *output);

/// The offset of the first U+2028 or U+2029 in UTF-8; `length` if there is none.
size_t nb_json_find_line_separator(const uint8_t *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
