#ifndef NOVABLEND_MICROHTTPD_H
#define NOVABLEND_MICROHTTPD_H

// Included by its path, so that Swift finds the library's types in the system library's module
// instead of this one.
#include "../../NovaBlendSystemMicroHTTPD/shim.h"

/// The functions that the daemon calls on its threads.
struct nb_mhd_callbacks {
    /// Called when the header is complete, for each part of the body, and when the body is complete.
    MHD_AccessHandlerCallback access;
    /// Called when the request line is complete. The result is the state of the request.
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
};

/// Starts a daemon with a pool of epoll threads that serve the connections given to
/// MHD_add_connection. Returns NULL on failure. It wraps a variadic function, which Swift cannot
/// call.
struct MHD_Daemon *nb_mhd_start(unsigned threads, struct nb_mhd_callbacks callbacks, void *context);

// These wrap a variadic function, too.
int nb_mhd_socket(struct MHD_Connection *connection);
const struct sockaddr *nb_mhd_client_address(struct MHD_Connection *connection);
void *nb_mhd_socket_context(struct MHD_Connection *connection);
/// The number of bytes from the first byte of the method to the end of the empty line.
size_t nb_mhd_header_size(struct MHD_Connection *connection);

/// A response with a copy of `bytes`.
static inline struct MHD_Response *nb_mhd_response(const void *bytes, size_t length) {
    return MHD_create_response_from_buffer(length, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/// Accepts a connection as a non-blocking descriptor that child processes do not inherit. Returns
/// -1 with errno on failure.
int nb_accept(int listening, struct sockaddr *address, socklen_t *size);

/// A non-blocking eventfd(2) that child processes do not inherit, or -1.
int nb_eventfd(void);

#endif
