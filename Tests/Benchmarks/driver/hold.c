// Opens connections to an HTTP server and holds them open.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "drive.h"

// Seconds.
#define RESPONSE_TIMEOUT 10

int connect_to(int port, int receive_buffer) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)},
                                  .sin_port = htons((unsigned short)port)};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (descriptor < 0) fail("socket");
    if (receive_buffer > 0) {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return descriptor;
}

void raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) fail("getrlimit");
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) fail("setrlimit");
}

static void receive_response(int descriptor) {
    char head[16384];
    size_t received = 0, expected = sizeof head - 1;
    bool has_head = false;
    while (received < expected) {
        ssize_t count = read(descriptor, head + received, sizeof head - 1 - received);
        if (count <= 0) fail("no response");
        received += (size_t)count;
        head[received] = 0;
        char *end = strstr(head, "\r\n\r\n");
        if (has_head || end == NULL) continue;
        has_head = true;
        char *field = strcasestr(head, "content-length:");
        size_t body = field != NULL ? strtoul(field + 15, NULL, 10) : 0;
        expected = (size_t)(end + 4 - head) + body;
        if (expected >= sizeof head) fail("the response is too long");
    }
}

int hold_command(int count, char **arguments) {
    if (count < 3) return 64;
    int port = atoi(arguments[0]), connections = atoi(arguments[1]);
    bool reads_slowly = count > 3 && strcmp(arguments[3], "slowly") == 0;
    raise_descriptor_limit();
    int *descriptors = calloc((size_t)connections, sizeof *descriptors);
    if (descriptors == NULL) fail("calloc");
    char request[4096], byte;
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n",
                          arguments[2]);
    for (int i = 0; i < connections; i++) {
        descriptors[i] = connect_to(port, reads_slowly ? 4096 : 0);
        write_all(descriptors[i], request, (size_t)length);
        struct timeval timeout = {RESPONSE_TIMEOUT, 0};
        setsockopt(descriptors[i], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
        if (!reads_slowly) receive_response(descriptors[i]);
    }
    for (int i = 0; reads_slowly && i < connections; i++) {
        if (read(descriptors[i], &byte, 1) != 1) fail("no response");
    }
    printf("ready\n");
    fflush(stdout);
    while (read(STDIN_FILENO, &byte, 1) > 0) {
    }
    for (int i = 0; i < connections; i++) {
        ssize_t peeked = recv(descriptors[i], &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (peeked == 0 || (peeked < 0 && errno != EAGAIN)) fail("a connection was closed");
        // A reset leaves no port in the state TIME_WAIT.
        struct linger reset = {1, 0};
        setsockopt(descriptors[i], SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    }
    return 0;
}
