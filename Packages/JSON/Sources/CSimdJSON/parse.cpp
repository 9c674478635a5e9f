#include "CSimdJSON.h"

#include <new>
#include <simdjson.h>

struct nb_json_document {
    simdjson::dom::document document;
};

namespace {

// Small messages reuse one parser a thread; a large text gets its own, so that no thread holds on
// to buffers of megabytes.
constexpr size_t largest_for_reuse = 64 * 1024;

simdjson::error_code parse_with(simdjson::dom::parser &parser, const uint8_t *bytes, size_t length,
                                size_t depth, nb_json_document &target) {
    const size_t capacity = length < 1024 ? 1024 : length;
    if (parser.capacity() < capacity || parser.max_depth() != depth) {
        if (auto error = parser.allocate(capacity, depth)) return error;
    }
    // simdjson reads past the end of its input; asked to, it copies into a padded buffer.
    return parser.parse_into_document(target.document, bytes, length, true).error();
}

nb_json_status status_of(simdjson::error_code error) {
    switch (error) {
    case simdjson::SUCCESS: return NB_JSON_OK;
    case simdjson::DEPTH_ERROR: return NB_JSON_TOO_DEEP;
    case simdjson::MEMALLOC: return NB_JSON_NO_MEMORY;
    default: return NB_JSON_MALFORMED;
    }
}

}  // namespace

nb_json_status nb_json_parse(const uint8_t *bytes, size_t length, size_t depth,
                             nb_json_document **document, const char **reason) {
    *document = nullptr;
    *reason = "";
    auto *target = new (std::nothrow) nb_json_document();
    if (target == nullptr) return NB_JSON_NO_MEMORY;
    simdjson::error_code error;
    if (length <= largest_for_reuse) {
        static thread_local simdjson::dom::parser parser;
        error = parse_with(parser, bytes, length, depth, *target);
    } else {
        simdjson::dom::parser parser;
        error = parse_with(parser, bytes, length, depth, *target);
    }
    if (error != simdjson::SUCCESS) {
        *reason = simdjson::error_message(error);
        delete target;
        return status_of(error);
    }
    *document = target;
    return NB_JSON_OK;
}

const uint64_t *nb_json_tape(const nb_json_document *document) {
    return document->document.tape.get();
}

const uint8_t *nb_json_strings(const nb_json_document *document) {
    return document->document.string_buf.get();
}

void nb_json_free(nb_json_document *document) { delete document; }
