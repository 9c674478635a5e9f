// Messages of JSON-RPC on a pair of pipes, in either framing.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Enough of a message to find its id and to see what it says; the rest is counted and dropped, so
// that a reply of 170 MB costs the driver no memory.
#define HEAD (64 << 10)

struct reader {
    int descriptor;
    bool headers;
    char *buffer;
    size_t begin, end;
    char *head;
    size_t head_length;
    size_t length;  // of the message
};

struct reader reader_make(int descriptor, bool headers);
// Reads one message; false at the end of input.
bool reader_next(struct reader *reader);
// The number after "id":, or -1 for a message that is no reply to us.
long reader_id(const struct reader *reader);
bool reader_says(const struct reader *reader, const char *text);

// The message framed, with the number in place of %d; to be freed.
char *framed(const char *message, long number, bool headers, size_t *length);
