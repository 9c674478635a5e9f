// JSON-RPC messages on a pair of pipes, framed by lines or by headers.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// How many bytes of a message are stored, to find its id and the expected text. The rest is counted
// and dropped, so that a reply of 170 MB takes no memory in the driver.
#define PREFIX_SIZE (64 << 10)

struct reader {
    int descriptor;
    bool headers;
    char *buffer;
    size_t begin, end;
    char *prefix;  // the start of the current message
    size_t prefix_length;
    size_t length;  // of the whole message
};

struct reader reader_make(int descriptor, bool headers);
// Reads one message; false at the end of input.
bool reader_next(struct reader *reader);
// The number after "id":, or -1 if the message has no numeric id.
long reader_id(const struct reader *reader);
bool reader_contains(const struct reader *reader, const char *text);

// Frames a message and replaces %d by the number. The caller frees the result.
char *frame_message(const char *message, long number, bool headers, size_t *length);
