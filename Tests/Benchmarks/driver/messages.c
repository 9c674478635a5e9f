#include "messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive.h"

static const size_t BUFFER = 1 << 18;

struct reader reader_make(int descriptor, bool headers) {
    struct reader reader = {.descriptor = descriptor, .headers = headers};
    reader.buffer = malloc(BUFFER);
    reader.head = malloc(HEAD);
    if (reader.buffer == NULL || reader.head == NULL) fail("malloc");
    return reader;
}

static bool fill(struct reader *reader) {
    if (reader->begin == reader->end) reader->begin = reader->end = 0;
    if (reader->end == BUFFER) {
        memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    ssize_t got =
        read(reader->descriptor, reader->buffer + reader->end, BUFFER - reader->end);
    if (got <= 0) return false;
    reader->end += (size_t)got;
    return true;
}

static void take(struct reader *reader, size_t count) {
    size_t room = HEAD - reader->head_length;
    size_t kept = count < room ? count : room;
    memcpy(reader->head + reader->head_length, reader->buffer + reader->begin, kept);
    reader->head_length += kept;
    reader->length += count;
    reader->begin += count;
}

static bool next_line(struct reader *reader) {
    while (true) {
        char *start = reader->buffer + reader->begin;
        size_t count = reader->end - reader->begin;
        char *newline = count > 0 ? memchr(start, '\n', count) : NULL;
        take(reader, newline != NULL ? (size_t)(newline - start) + 1 : count);
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
        size_t here = reader->end - reader->begin;
        size_t count = here < left ? here : left;
        take(reader, count);
        left -= count;
        if (left > 0 && !fill(reader)) return false;
    }
    return true;
}

bool reader_next(struct reader *reader) {
    reader->head_length = reader->length = 0;
    return reader->headers ? next_with_headers(reader) : next_line(reader);
}

long reader_id(const struct reader *reader) {
    const char *place = reader->head, *end = reader->head + reader->head_length;
    while ((place = memmem(place, (size_t)(end - place), "\"id\":", 5)) != NULL) {
        place += 5;
        while (place < end && *place == ' ') place++;
        if (place < end && *place >= '0' && *place <= '9') return atol(place);
    }
    return -1;
}

bool reader_says(const struct reader *reader, const char *text) {
    return memmem(reader->head, reader->head_length, text, strlen(text)) != NULL;
}

char *framed(const char *message, long number, bool headers, size_t *length) {
    char digits[24], *text, *whole;
    snprintf(digits, sizeof digits, "%ld", number);
    const char *place = strstr(message, "%d");
    int before = place != NULL ? (int)(place - message) : (int)strlen(message);
    const char *after = place != NULL ? place + 2 : "";
    int count = asprintf(&text, "%.*s%s%s", before, message, place != NULL ? digits : "", after);
    if (count < 0) fail("asprintf");
    int total = headers ? asprintf(&whole, "Content-Length: %d\r\n\r\n%s", count, text)
                        : asprintf(&whole, "%s\n", text);
    if (total < 0) fail("asprintf");
    free(text);
    *length = (size_t)total;
    return whole;
}
