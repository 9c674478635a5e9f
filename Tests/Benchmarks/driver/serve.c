// An HTTP server that is faster than the clients that are measured. It prepares a response for each
// file in memory, uses one thread, and copies nothing. It accepts bodies with a Content-Length.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "drive.h"

struct response {
    const char *path;
    size_t path_length;
    char *bytes;
    size_t length;
};

struct connection {
    int descriptor;
    size_t received;
    const char *unsent;
    size_t left;
    size_t body_left;  // bytes of the request's body that have not arrived
    char request[8192];
};

static struct response *responses;
static int response_count;
static struct response not_found = {
    .bytes = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", .length = 45};

static struct response prepare(char *argument) {
    char *file = strchr(argument, '=');
    if (file == NULL) fail("an argument has no =");
    *file++ = 0;
    FILE *stream = fopen(file, "r");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) fail(file);
    size_t size = (size_t)ftell(stream);
    rewind(stream);
    char *bytes = malloc(size + 256);
    if (bytes == NULL) fail("malloc");
    int head = sprintf(bytes,
                       "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                       "Content-Length: %zu\r\n\r\n",
                       size);
    if (fread(bytes + head, 1, size, stream) != size) fail(file);
    fclose(stream);
    return (struct response){argument, strlen(argument), bytes, size + (size_t)head};
}

static const struct response *find(const char *request) {
    const char *path = strchr(request, ' ');
    if (path == NULL) return &not_found;
    size_t length = strcspn(++path, " ?");
    for (int i = 0; i < response_count; i++) {
        if (responses[i].path_length == length && memcmp(responses[i].path, path, length) == 0) {
            return &responses[i];
        }
    }
    return &not_found;
}

static int listen_on_loopback(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        listen(listener, 512) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        fail("listen");
    }
    *port = ntohs(address.sin_port);
    return listener;
}

static void accept_all(int epoll, int listener) {
    int descriptor;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        int yes = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct connection *connection = calloc(1, sizeof *connection);
        if (connection == NULL) fail("calloc");
        connection->descriptor = descriptor;
        struct epoll_event event = {EPOLLIN, {.ptr = connection}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
    }
}

// Writes the rest of the response. If the socket's buffer is full, waits until it is writable.
static void flush(int epoll, struct connection *connection) {
    while (connection->left > 0) {
        ssize_t sent = write(connection->descriptor, connection->unsent, connection->left);
        if (sent < 0 && errno != EAGAIN) connection->left = 0;
        if (sent < 0) break;
        connection->unsent += sent;
        connection->left -= (size_t)sent;
        if (connection->left == 0) return;
    }
    struct epoll_event event = {connection->left > 0 ? EPOLLOUT : EPOLLIN, {.ptr = connection}};
    epoll_ctl(epoll, EPOLL_CTL_MOD, connection->descriptor, &event);
}

static void respond(int epoll, struct connection *connection) {
    const struct response *response = find(connection->request);
    connection->received = 0;
    connection->unsent = response->bytes;
    connection->left = response->length;
    flush(epoll, connection);
}

static size_t content_length(const char *request) {
    static const char name[] = "\r\nContent-Length:";
    const char *field = strcasestr(request, name);
    return field == NULL ? 0 : strtoul(field + sizeof name - 1, NULL, 10);
}

// Reads from a socket. The kernel discards the bytes of a body (tcp(7), MSG_TRUNC).
static ssize_t read_some(struct connection *connection) {
    if (connection->body_left > 0) {
        return recv(connection->descriptor, NULL, connection->body_left, MSG_TRUNC);
    }
    size_t space = sizeof connection->request - 1 - connection->received;
    return read(connection->descriptor, connection->request + connection->received, space);
}

static void receive(int epoll, struct connection *connection) {
    ssize_t count = read_some(connection);
    if (count <= 0) {
        if (count < 0 && errno == EAGAIN) return;
        close(connection->descriptor);
        free(connection);
        return;
    }
    if (connection->body_left > 0) {
        connection->body_left -= (size_t)count;
    } else {
        connection->received += (size_t)count;
        connection->request[connection->received] = 0;
        char *end = strstr(connection->request, "\r\n\r\n");
        if (end == NULL) return;
        size_t body = connection->received - (size_t)(end + 4 - connection->request);
        connection->body_left = content_length(connection->request) - body;
    }
    if (connection->body_left == 0) respond(epoll, connection);
}

int serve_command(int count, char **arguments) {
    responses = calloc((size_t)count + 1, sizeof *responses);
    if (responses == NULL) fail("calloc");
    for (; response_count < count; response_count++) {
        responses[response_count] = prepare(arguments[response_count]);
    }
    int port, epoll = epoll_create1(0), listener = listen_on_loopback(&port);
    struct epoll_event listening = {EPOLLIN, {.ptr = &listener}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &listening);
    // The end of standard input means that the parent process has ended.
    struct epoll_event input = {EPOLLIN, {.ptr = NULL}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &input);
    printf("%d\n", port);
    fflush(stdout);
    struct epoll_event events[128];
    while (1) {
        int ready = epoll_wait(epoll, events, 128, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr == NULL) return 0;
            if (events[i].data.ptr == &listener) accept_all(epoll, listener);
            else if (events[i].events & EPOLLOUT) flush(epoll, events[i].data.ptr);
            else receive(epoll, events[i].data.ptr);
        }
    }
}
