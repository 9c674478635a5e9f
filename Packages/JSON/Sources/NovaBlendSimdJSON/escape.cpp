#include "NovaBlendSimdJSON.h"

#include <cstring>

namespace {

typedef uint8_t Bytes __attribute__((ext_vector_type(16)));
typedef bool Flags __attribute__((ext_vector_type(16)));

Bytes load(const uint8_t *text) {
    Bytes bytes;
    memcpy(&bytes, text, sizeof bytes);
    return bytes;
}

void store(uint8_t *output, Bytes bytes) { memcpy(output, &bytes, sizeof bytes); }

// Converts a comparison to a bit mask. The lowest bit stands for the first byte.
template <typename Comparison> uint32_t bits(Comparison found) {
    const Flags flags = __builtin_convertvector(found, Flags);
    uint16_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

uint8_t *escape_other(uint8_t byte, uint8_t *output) {
    if (byte >= 0x20) {
        *output = byte;
        return output + 1;
    }
    static const char digits[] = "0123456789abcdef";
    memcpy(output, "\\u00", 4);
    output[4] = digits[byte >> 4];
    output[5] = digits[byte & 15];
    return output + 6;
}

uint8_t *escape_byte(uint8_t byte, uint8_t *output) {
    switch (byte) {
    case '\n': byte = 'n'; break;
    case '\r': byte = 'r'; break;
    case '\t': byte = 't'; break;
    case '"':
    case '\\': break;
    default: return escape_other(byte, output);
    }
    *output++ = '\\';
    *output++ = byte;
    return output;
}

// Writes the first `count` of 16 bytes. At each quote or backslash (a hit), inserts a backslash and copies
// the 16 bytes from there again. With a control character, escapes byte by byte.
inline uint8_t *escape_chunk(const uint8_t *text, size_t count, uint8_t *output) {
    const Bytes bytes = load(text);
    const uint32_t wanted = (uint32_t(1) << count) - 1;
    store(output, bytes);
    uint32_t hits = bits((bytes == '"') | (bytes == '\\') | (bytes < 0x20)) & wanted;
    if (hits == 0) return output + count;
    if (bits(bytes < 0x20) & wanted) {
        for (size_t index = 0; index < count; index++) output = escape_byte(text[index], output);
        return output;
    }
    for (; hits != 0; hits &= hits - 1) {
        const int position = __builtin_ctz(hits);
        output[position] = '\\';
        output += 1;
        store(output + position, load(text + position));
    }
    return output + count;
}

}  // namespace

size_t nb_json_escape(const uint8_t *text, size_t length, uint8_t *output) {
    uint8_t *const start = output;
    // A chunk reads up to 16 bytes from any position in it, so at least 32 bytes must remain.
    for (; length >= 32; length -= 16, text += 16) output = escape_chunk(text, 16, output);
    uint8_t rest[64] = {0};
    memcpy(rest, text, length);
    for (size_t done = 0; done < length; done += 16) {
        const size_t count = length - done < 16 ? length - done : 16;
        output = escape_chunk(rest + done, count, output);
    }
    return output - start;
}

size_t nb_json_find_line_separator(const uint8_t *text, size_t length) {
    if (length < 3) return length;
    const uint8_t *const end = text + length - 2;
    const uint8_t *next = text;
    // The first byte is rare in most scripts, and memchr looks at many bytes at a time.
    while ((next = static_cast<const uint8_t *>(memchr(next, 0xE2, end - next))) != nullptr) {
        if (next[1] == 0x80 && (next[2] & 0xFE) == 0xA8) return next - text;
        if (++next == end) break;
    }
    return length;
}
