// Puts load on an HTTP server. Each connection sends the next request as soon as it has received
// the response to the previous one.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "drive.h"

struct connection {
    int descriptor;
    double request_time;
    size_t received;
    size_t left;  // bytes of the body that have not arrived
    bool in_body;
    char head[16384];
};

static const char *path;
static char **bodies;  // of POST requests; NULL for GET requests
static size_t body_count, next_body;
static double *times;
static size_t responses, failures, capacity;

static void read_bodies(const char *file) {
    FILE *stream = fopen(file, "r");
    if (stream == NULL) fail(file);
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, stream)) > 0) {
        bodies = realloc(bodies, (body_count + 1) * sizeof *bodies);
        line[length - 1] = 0;
        bodies[body_count++] = strdup(line);
    }
    free(line);
    fclose(stream);
}

// Sends the next request; false if no body is left.
static bool send_request(struct connection *connection) {
    char request[4096];
    int length;
    if (bodies == NULL) {
        length = snprintf(request, sizeof request,
                          "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    } else {
        if (next_body == body_count) return false;
        const char *body = bodies[next_body];
        length = snprintf(request, sizeof request,
                          "POST %s HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: %d-%zu\r\n"
                          "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                          path, getpid(), next_body++, strlen(body), body);
    }
    connection->request_time = now();
    connection->received = 0;
    connection->in_body = false;
    write_all(connection->descriptor, request, (size_t)length);
    return true;
}

// Reads what arrived; true when the response is complete.
static bool receive(struct connection *connection) {
    static char ignored[1 << 18];
    if (connection->in_body) {
        ssize_t count = read(connection->descriptor, ignored, sizeof ignored);
        if (count <= 0) fail("the server closed the connection");
        connection->left -= (size_t)count < connection->left ? (size_t)count : connection->left;
        return connection->left == 0;
    }
    size_t space = sizeof connection->head - 1 - connection->received;
    ssize_t count = read(connection->descriptor, connection->head + connection->received, space);
    if (count <= 0) fail("the server closed the connection");
    connection->received += (size_t)count;
    connection->head[connection->received] = 0;
    char *end = strstr(connection->head, "\r\n\r\n");
    if (end == NULL) return false;
    char *field = strcasestr(connection->head, "content-length:");
    size_t body = field != NULL ? strtoul(field + 15, NULL, 10) : 0;
    size_t arrived = connection->received - (size_t)(end + 4 - connection->head);
    if (connection->head[9] != '2') failures++;
    connection->in_body = true;
    connection->left = body > arrived ? body - arrived : 0;
    return connection->left == 0;
}

static void record_time(double seconds) {
    if (responses == capacity) {
        capacity = capacity == 0 ? 1 << 16 : capacity * 2;
        times = realloc(times, capacity * sizeof *times);
        if (times == NULL) fail("realloc");
    }
    times[responses++] = seconds;
}

static struct connection *open_connection(int port) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) fail("calloc");
    connection->descriptor = connect_to(port, 0);
    return connection;
}

int load_command(int count, char **arguments) {
    if (count < 4) return 64;
    int connections = atoi(arguments[1]), busy = 0, epoll = epoll_create1(0);
    double duration = atof(arguments[2]);
    path = arguments[3];
    if (count > 4) read_bodies(arguments[4]);
    raise_descriptor_limit();
    double start_time = now();
    for (int i = 0; i < connections; i++) {
        struct connection *connection = open_connection(atoi(arguments[0]));
        struct epoll_event event = {EPOLLIN, {.ptr = connection}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, connection->descriptor, &event);
        if (send_request(connection)) busy++;
    }
    struct epoll_event events[128];
    while (busy > 0) {
        int ready = epoll_wait(epoll, events, 128, 30000);
        if (ready == 0) fail("no response within 30 s");
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!receive(connection)) continue;
            record_time(now() - connection->request_time);
            if (now() - start_time > duration || !send_request(connection)) busy--;
        }
    }
    double seconds = now() - start_time;
    sort(times, responses);
    printf("{\"rate\":%.3f,\"responses\":%zu,\"failures\":%zu,\"p50\":%.9f,\"p99\":%.9f}\n",
           (double)responses / seconds, responses, failures, percentile(times, responses, 0.5),
           percentile(times, responses, 0.99));
    return 0;
}
