// For accept4.
#define _GNU_SOURCE
#include "NovaBlendMicroHTTPD.h"

#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// Leaves the text as it is. The server decodes the target of a request itself, because this result
/// would be a C string, and "%00" would end it.
static size_t retain_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

struct MHD_Daemon *nb_mhd_start(unsigned threads, struct nb_mhd_callbacks callbacks, void *context) {
    // The server limits connections itself. Near its own limit, libmicrohttpd 0.9.75 stops serving.
    const unsigned connection_limit = 1 << 24;
    // Half of the default. It contains the header of a request and that of its response.
    const size_t memory_limit = 1 << 14;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL,
        NULL, callbacks.access, context, MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        memory_limit, MHD_OPTION_CONNECTION_TIMEOUT, 0u,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks.target, context, MHD_OPTION_NOTIFY_COMPLETED,
        callbacks.completed, context, MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, context,
        MHD_OPTION_UNESCAPE_CALLBACK, retain_escapes, NULL, MHD_OPTION_END);
}

int nb_mhd_socket(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

const struct sockaddr *nb_mhd_client_address(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}

void *nb_mhd_socket_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

size_t nb_mhd_header_size(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
}

int nb_accept(int listening, struct sockaddr *address, socklen_t *size) {
    return accept4(listening, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int nb_eventfd(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}
