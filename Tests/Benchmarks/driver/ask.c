// Talks to a server on its standard input and output.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drive.h"
#include "messages.h"

// Ids of what is measured begin here; a server's own questions have smaller ones.
static const long FIRST_ID = 1000000;

struct plan {
    bool headers, pipelined;
    const char *opening[8];
    int openings;
    const char *ask, *expect;
    long count;
    int idle_ms;
    char **command;
};

static struct plan parse(int count, char **arguments) {
    struct plan plan = {.count = 1, .expect = "\"result\""};
    for (int i = 0; i < count; i++) {
        const char *option = arguments[i];
        const char *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(option, "--") == 0) {
            plan.command = arguments + i + 1;
            break;
        }
        if (strcmp(option, "--headers") == 0) { plan.headers = true; continue; }
        if (strcmp(option, "--pipelined") == 0) { plan.pipelined = true; continue; }
        i++;
        if (strcmp(option, "--open") == 0 && plan.openings < 8) {
            plan.opening[plan.openings++] = value;
        } else if (strcmp(option, "--ask") == 0) {
            plan.ask = value;
        } else if (strcmp(option, "--expect") == 0) {
            plan.expect = value;
        } else if (strcmp(option, "--count") == 0) {
            plan.count = atol(value);
        } else if (strcmp(option, "--idle") == 0) {
            plan.idle_ms = atoi(value);
        }
    }
    return plan;
}

static void await(struct reader *reader, long id, const char *expect) {
    do {
        if (!reader_next(reader)) fail("the server ended");
    } while (reader_id(reader) != id);
    if (!reader_says(reader, expect)) {
        fprintf(stderr, "drive: not %s: %.*s\n", expect,
                (int)(reader->head_length < 400 ? reader->head_length : 400), reader->head);
        exit(2);
    }
}

static void send_message(struct child *child, const struct plan *plan, const char *text, long id) {
    size_t length;
    char *bytes = framed(text, id, plan->headers, &length);
    write_all(child->in, bytes, length);
    free(bytes);
}

// Asks one after the other; the times of each.
static void ask_each(
    struct child *child, struct reader *reader, const struct plan *plan, double *times) {
    for (long i = 0; i < plan->count; i++) {
        size_t length;
        char *bytes = framed(plan->ask, FIRST_ID + i, plan->headers, &length);
        double began = now();
        write_all(child->in, bytes, length);
        await(reader, FIRST_ID + i, plan->expect);
        times[i] = now() - began;
        free(bytes);
    }
}

// Asks all at once: writes whenever there is room, reads whenever there is something.
static void ask_all(struct child *child, struct reader *reader, const struct plan *plan) {
    char *text = NULL;
    size_t size = 0, sent = 0;
    FILE *stream = open_memstream(&text, &size);
    for (long i = 0; i < plan->count; i++) {
        size_t length;
        char *bytes = framed(plan->ask, FIRST_ID + i, plan->headers, &length);
        fwrite(bytes, 1, length, stream);
        free(bytes);
    }
    fclose(stream);
    fcntl(child->in, F_SETFL, O_NONBLOCK);
    for (long answered = 0; answered < plan->count;) {
        struct pollfd entries[] = {{child->out, POLLIN, 0}, {child->in, POLLOUT, 0}};
        if (poll(entries, sent < size ? 2 : 1, -1) < 0) fail("poll");
        if (sent < size && (entries[1].revents & POLLOUT)) {
            ssize_t written = write(child->in, text + sent, size - sent);
            if (written < 0 && errno != EAGAIN) fail("write");
            if (written > 0) sent += (size_t)written;
        }
        // What was read with the message before is there without polling.
        while (answered < plan->count &&
               (reader->begin < reader->end || (entries[0].revents & POLLIN))) {
            if (!reader_next(reader)) fail("the server ended");
            if (reader_id(reader) >= FIRST_ID) answered++;
            entries[0].revents = 0;
        }
    }
    free(text);
}

int ask_command(int count, char **arguments) {
    struct plan plan = parse(count, arguments);
    if (plan.command == NULL || plan.command[0] == NULL || plan.count < 1) return 64;
    double *times = calloc((size_t)plan.count, sizeof *times);
    if (times == NULL) fail("calloc");
    double began = now(), first = 0;
    struct child child = start(plan.command);
    struct reader reader = reader_make(child.out, plan.headers);
    for (int i = 0; i < plan.openings; i++) {
        send_message(&child, &plan, plan.opening[i], i + 1);
        if (strstr(plan.opening[i], "%d") == NULL) continue;
        await(&reader, i + 1, "\"result\"");
        if (first == 0) first = now() - began;
    }
    if (plan.idle_ms > 0) usleep((useconds_t)plan.idle_ms * 1000);
    long idle = memory_kib(child.pid, "VmRSS");
    double asked = now();
    if (plan.ask != NULL && plan.pipelined) ask_all(&child, &reader, &plan);
    if (plan.ask != NULL && !plan.pipelined) ask_each(&child, &reader, &plan, times);
    double total = plan.ask == NULL ? 0 : now() - asked;
    if (first == 0) first = asked - began + times[0];
    long peak = memory_kib(child.pid, "VmHWM");
    struct usage used = finish(&child);
    printf("{\"first\":%.9f,\"total\":%.9f,\"bytes\":%zu,\"idle_kib\":%ld,\"peak_kib\":%ld,"
           "\"user\":%.6f,\"system\":%.6f,\"one\":%.9f",
           first, total, reader.length, idle, peak, used.user, used.system, times[0]);
    if (plan.count > 1 && !plan.pipelined) {
        sort(times + 1, (size_t)plan.count - 1);
        printf(",\"p50\":%.9f,\"p99\":%.9f", percentile(times + 1, (size_t)plan.count - 1, 0.5),
               percentile(times + 1, (size_t)plan.count - 1, 0.99));
    }
    puts("}");
    return 0;
}
