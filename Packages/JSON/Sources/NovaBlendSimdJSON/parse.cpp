#include "../NovaBlendSystemSimdJSON/shim.h"
#include "NovaBlendSimdJSON.h"

#include <cstdint>
#include <new>
#include <sys/mman.h>

struct nb_json_document {
    simdjson::dom::document document;
};

namespace {

// Small texts reuse one parser per thread. A large text gets its own parser, so that no thread
// keeps buffers of megabytes.
constexpr size_t max_length_for_reuse = 64 * 1024;

// Requests huge pages for the buffers of a large text. They reduce thousands of page faults, which
// took a quarter of the parsing time, to a few. Pages that are never written use no memory.
void prefer_huge_pages(void *start, size_t bytes) {
    constexpr uintptr_t page = 4096;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(start) + page - 1 & ~(page - 1);
    const uintptr_t end = reinterpret_cast<uintptr_t>(start) + bytes & ~(page - 1);
    if (begin < end) madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
}

simdjson::error_code prepare_large(simdjson::dom::parser &parser, size_t length, size_t depth,
                                   simdjson::dom::document &document) {
    if (auto error = parser.allocate(length, depth)) return error;
    if (auto error = document.allocate(length)) return error;
    prefer_huge_pages(parser.implementation->structural_indexes.get(), length * sizeof(uint32_t));
    prefer_huge_pages(document.tape.get(), length * sizeof(uint64_t));
    prefer_huge_pages(document.string_buf.get(), length);
    return simdjson::SUCCESS;
}

simdjson::error_code parse_with(simdjson::dom::parser &parser, const uint8_t *bytes, size_t length,
                                size_t padding, size_t depth, nb_json_document &target) {
    const size_t capacity = length < 1024 ? 1024 : length;
    if (parser.capacity() < capacity || parser.max_depth() != depth) {
        if (auto error = parser.allocate(capacity, depth)) return error;
    }
    // simdjson reads past the end of its input. If that memory is not readable, it copies the
    // input.
    const bool copies = padding < simdjson::SIMDJSON_PADDING;
    return parser.parse_into_document(target.document, bytes, length, copies).error();
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

nb_json_status nb_json_parse(const uint8_t *bytes, size_t length, size_t padding, size_t depth,
                             nb_json_document **document, const char **reason) {
    *document = nullptr;
    *reason = "";
    auto *target = new (std::nothrow) nb_json_document();
    if (target == nullptr) return NB_JSON_NO_MEMORY;
    simdjson::error_code error;
    if (length <= max_length_for_reuse) {
        static thread_local simdjson::dom::parser parser;
        error = parse_with(parser, bytes, length, padding, depth, *target);
    } else {
        simdjson::dom::parser parser;
        error = prepare_large(parser, length, depth, target->document);
        if (!error) error = parse_with(parser, bytes, length, padding, depth, *target);
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
