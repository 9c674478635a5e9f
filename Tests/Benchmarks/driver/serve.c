// A server that is never what is waited for: answers of files in memory, one thread, no copy.
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

struct answer {
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
    char request[8192];
};

static struct answer *answers;
static int answer_count;
static struct answer missing = {
    .bytes = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", .length = 45};

static struct answer prepare(char *argument) {
    char *file = strchr(argument, '=');
    if (file == NULL) fail("an argument without =");
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
    return (struct answer){argument, strlen(argument), bytes, size + (size_t)head};
}

static const struct answer *find(const char *request) {
    const char *path = strchr(request, ' ');
    if (path == NULL) return &missing;
    size_t length = strcspn(++path, " ?");
    for (int i = 0; i < answer_count; i++) {
        if (answers[i].path_length == length && memcmp(answers[i].path, path, length) == 0) {
            return &answers[i];
        }
    }
    return &missing;
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

static void accept_all(int poller, int listener) {
    int descriptor;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        int yes = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct connection *connection = calloc(1, sizeof *connection);
        if (connection == NULL) fail("calloc");
        connection->descriptor = descriptor;
        struct epoll_event event = {EPOLLIN, {.ptr = connection}};
        epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
    }
}

// Writes what is left; waits for room only when there was none.
static void flush(int poller, struct connection *connection) {
    while (connection->left > 0) {
        ssize_t sent = write(connection->descriptor, connection->unsent, connection->left);
        if (sent < 0 && errno != EAGAIN) connection->left = 0;
        if (sent < 0) break;
        connection->unsent += sent;
        connection->left -= (size_t)sent;
        if (connection->left == 0) return;
    }
    struct epoll_event event = {connection->left > 0 ? EPOLLOUT : EPOLLIN, {.ptr = connection}};
    epoll_ctl(poller, EPOLL_CTL_MOD, connection->descriptor, &event);
}

static void receive(int poller, struct connection *connection) {
    size_t room = sizeof connection->request - 1 - connection->received;
    ssize_t got =
        read(connection->descriptor, connection->request + connection->received, room);
    if (got <= 0) {
        if (got < 0 && errno == EAGAIN) return;
        close(connection->descriptor);
        free(connection);
        return;
    }
    connection->received += (size_t)got;
    connection->request[connection->received] = 0;
    if (strstr(connection->request, "\r\n\r\n") == NULL) return;
    const struct answer *answer = find(connection->request);
    connection->received = 0;
    connection->unsent = answer->bytes;
    connection->left = answer->length;
    flush(poller, connection);
}

int serve_command(int count, char **arguments) {
    answers = calloc((size_t)count + 1, sizeof *answers);
    if (answers == NULL) fail("calloc");
    for (; answer_count < count; answer_count++) {
        answers[answer_count] = prepare(arguments[answer_count]);
    }
    int port, poller = epoll_create1(0), listener = listen_on_loopback(&port);
    struct epoll_event listening = {EPOLLIN, {.ptr = &listener}};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &listening);
    // Whoever started it is gone when its input ends.
    struct epoll_event input = {EPOLLIN, {.ptr = NULL}};
    epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &input);
    printf("%d\n", port);
    fflush(stdout);
    struct epoll_event events[128];
    while (1) {
        int ready = epoll_wait(poller, events, 128, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr == NULL) return 0;
            if (events[i].data.ptr == &listener) accept_all(poller, listener);
            else if (events[i].events & EPOLLOUT) flush(poller, events[i].data.ptr);
            else receive(poller, events[i].data.ptr);
        }
    }
}
