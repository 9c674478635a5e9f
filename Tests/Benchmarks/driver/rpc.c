// Sends JSON-RPC requests to a server through its standard input and output.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive.h"
#include "messages.h"

// The ids of measured requests start here. A server's own requests have smaller ids.
static const long FIRST_ID = 1000000;

struct options {
    bool headers, pipelined;
    const char *setup[8];  // messages before the measured requests
    int setup_count;
    const char *request, *expect;
    long count;
    int idle_ms;
    char **command;
};

static struct options parse(int count, char **arguments) {
    struct options options = {.count = 1, .expect = "\"result\""};
    for (int i = 0; i < count; i++) {
        const char *option = arguments[i];
        const char *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(option, "--") == 0) {
            options.command = arguments + i + 1;
            break;
        }
        if (strcmp(option, "--headers") == 0) { options.headers = true; continue; }
        if (strcmp(option, "--pipelined") == 0) { options.pipelined = true; continue; }
        i++;
        if (strcmp(option, "--setup") == 0 && options.setup_count < 8) {
            options.setup[options.setup_count++] = value;
        } else if (strcmp(option, "--request") == 0) {
            options.request = value;
        } else if (strcmp(option, "--expect") == 0) {
            options.expect = value;
        } else if (strcmp(option, "--count") == 0) {
            options.count = atol(value);
        } else if (strcmp(option, "--idle") == 0) {
            options.idle_ms = atoi(value);
        }
    }
    return options;
}

static void await_reply(struct reader *reader, long id, const char *expect) {
    do {
        if (!reader_next(reader)) fail("the server closed its output");
    } while (reader_id(reader) != id);
    if (!reader_contains(reader, expect)) {
        fprintf(stderr, "drive: expected %s, got: %.*s\n", expect,
                (int)(reader->prefix_length < 400 ? reader->prefix_length : 400), reader->prefix);
        exit(2);
    }
}

static void send_message(
    struct child *child, const struct options *options, const char *text, long id) {
    size_t length;
    char *bytes = frame_message(text, id, options->headers, &length);
    write_all(child->in, bytes, length);
    free(bytes);
}

// Sends each request after the reply to the previous one, and measures each.
static void call_sequentially(
    struct child *child, struct reader *reader, const struct options *options, double *times) {
    for (long i = 0; i < options->count; i++) {
        size_t length;
        char *bytes = frame_message(options->request, FIRST_ID + i, options->headers, &length);
        double start_time = now();
        write_all(child->in, bytes, length);
        await_reply(reader, FIRST_ID + i, options->expect);
        times[i] = now() - start_time;
        free(bytes);
    }
}

// Sends all requests without waiting for replies, and reads the replies as they arrive.
static void call_pipelined(
    struct child *child, struct reader *reader, const struct options *options) {
    char *text = NULL;
    size_t size = 0, sent = 0;
    FILE *stream = open_memstream(&text, &size);
    for (long i = 0; i < options->count; i++) {
        size_t length;
        char *bytes = frame_message(options->request, FIRST_ID + i, options->headers, &length);
        fwrite(bytes, 1, length, stream);
        free(bytes);
    }
    fclose(stream);
    fcntl(child->in, F_SETFL, O_NONBLOCK);
    for (long replies = 0; replies < options->count;) {
        struct pollfd entries[] = {{child->out, POLLIN, 0}, {child->in, POLLOUT, 0}};
        if (poll(entries, sent < size ? 2 : 1, -1) < 0) fail("poll");
        if (sent < size && (entries[1].revents & POLLOUT)) {
            ssize_t written = write(child->in, text + sent, size - sent);
            if (written < 0 && errno != EAGAIN) fail("write");
            if (written > 0) sent += (size_t)written;
        }
        // poll does not report messages that are already in the reader's buffer.
        while (replies < options->count &&
               (reader->begin < reader->end || (entries[0].revents & POLLIN))) {
            if (!reader_next(reader)) fail("the server closed its output");
            if (reader_id(reader) >= FIRST_ID) replies++;
            entries[0].revents = 0;
        }
    }
    free(text);
}

int rpc_command(int count, char **arguments) {
    struct options options = parse(count, arguments);
    if (options.command == NULL || options.command[0] == NULL || options.count < 1) return 64;
    double *times = calloc((size_t)options.count, sizeof *times);
    if (times == NULL) fail("calloc");
    double start_time = now(), startup = 0;
    struct child child = start(options.command);
    struct reader reader = reader_make(child.out, options.headers);
    for (int i = 0; i < options.setup_count; i++) {
        send_message(&child, &options, options.setup[i], i + 1);
        if (strstr(options.setup[i], "%d") == NULL) continue;
        await_reply(&reader, i + 1, "\"result\"");
        if (startup == 0) startup = now() - start_time;
    }
    if (options.idle_ms > 0) usleep((useconds_t)options.idle_ms * 1000);
    long idle = memory_kib(child.pid, "VmRSS");
    double request_time = now();
    if (options.request != NULL && options.pipelined) {
        call_pipelined(&child, &reader, &options);
    } else if (options.request != NULL) {
        call_sequentially(&child, &reader, &options, times);
    }
    double total = options.request == NULL ? 0 : now() - request_time;
    if (startup == 0) startup = request_time - start_time + times[0];
    long peak = memory_kib(child.pid, "VmHWM");
    struct usage used = finish(&child);
    printf("{\"startup\":%.9f,\"total\":%.9f,\"bytes\":%zu,\"idle_kib\":%ld,\"peak_kib\":%ld,"
           "\"user\":%.6f,\"system\":%.6f,\"first_call\":%.9f",
           startup, total, reader.length, idle, peak, used.user, used.system, times[0]);
    if (options.count > 1 && !options.pipelined) {
        sort(times + 1, (size_t)options.count - 1);
        printf(",\"p50\":%.9f,\"p99\":%.9f", percentile(times + 1, (size_t)options.count - 1, 0.5),
               percentile(times + 1, (size_t)options.count - 1, 0.99));
    }
    puts("}");
    return 0;
}
