#include "messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive.h"

static const size_t BUFFER_SIZE = 1 << 18;

struct reader reader_make(int descriptor, bool headers) {
    struct reader reader = {.descriptor = descriptor, .headers = headers};
    reader.buffer = malloc(BUFFER_SIZE);
    reader.prefix = malloc(PREFIX_SIZE);
    if (reader.buffer == NULL || reader.prefix == NULL) fail("malloc");
    return reader;
}

static bool fill(struct reader *reader) {
    if (reader->begin == reader->end) reader->begin = reader->end = 0;
    if (reader->end == BUFFER_SIZE) {
        memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    ssize_t count =
        read(reader->descriptor, reader->buffer + reader->end, BUFFER_SIZE - reader->end);
    if (count <= 0) return false;
    reader->end += (size_t)count;
    return true;
}

// Moves bytes from the buffer to the current message.
static void consume(struct reader *reader, size_t count) {
    size_t space = PREFIX_SIZE - reader->prefix_length;
    size_t stored = count < space ? count : space;
    memcpy(reader->prefix + reader->prefix_length, reader->buffer + reader->begin, stored);
    reader->prefix_length += stored;
    reader->length += count;
    reader->begin += count;
}

static bool next_line(struct reader *reader) {
    while (true) {
        char *start = reader->buffer + reader->begin;
        size_t count = reader->end - reader->begin;
        char *newline = count > 0 ? memchr(start, '\n', count) : NULL;
        consume(reader, newline != NULL ? (size_t)(newline - start) + 1 : count);
        if (newline != NULL) return true;
        if (!fill(reader)) return false;
    }
}

static bool next_with_headers(struct reader *reader) {
    char *start, *end;
    while (true) {
        start = reader->buffer + reader->begin;
        size_t count = reader->end - reader->begin;
        end = count > 0 ? memmem(start, count, "\r\n\r\n", 4) : NULL;
        if (end != NULL) break;
        if (!fill(reader)) return false;
    }
    *end = 0;
    char *field = strcasestr(start, "content-length:");
    if (field == NULL) return false;
    size_t left = strtoul(field + strlen("content-length:"), NULL, 10);
    reader->begin += (size_t)(end - start) + 4;
    while (left > 0) {
        size_t available = reader->end - reader->begin;
        size_t count = available < left ? available : left;
        consume(reader, count);
        left -= count;
        if (left > 0 && !fill(reader)) return false;
    }
    return true;
}

bool reader_next(struct reader *reader) {
    reader->prefix_length = reader->length = 0;
    return reader->headers ? next_with_headers(reader) : next_line(reader);
}

long reader_id(const struct reader *reader) {
    const char *position = reader->prefix, *end = reader->prefix + reader->prefix_length;
    while ((position = memmem(position, (size_t)(end - position), "\"id\":", 5)) != NULL) {
        position += 5;
        while (position < end && *position == ' ') position++;
        if (position < end && *position >= '0' && *position <= '9') return atol(position);
    }
    return -1;
}

bool reader_contains(const struct reader *reader, const char *text) {
    return memmem(reader->prefix, reader->prefix_length, text, strlen(text)) != NULL;
}

char *frame_message(const char *message, long number, bool headers, size_t *length) {
    char digits[24], *text, *frame;
    snprintf(digits, sizeof digits, "%ld", number);
    const char *placeholder = strstr(message, "%d");
    int before = placeholder != NULL ? (int)(placeholder - message) : (int)strlen(message);
    const char *after = placeholder != NULL ? placeholder + 2 : "";
    int count = asprintf(&text, "%.*s%s%s", before, message,
                         placeholder != NULL ? digits : "", after);
    if (count < 0) fail("asprintf");
    int total = headers ? asprintf(&frame, "Content-Length: %d\r\n\r\n%s", count, text)
                        : asprintf(&frame, "%s\n", text);
    if (total < 0) fail("asprintf");
    free(text);
    *length = (size_t)total;
    return frame;
}
