#ifndef NOVABLEND_MICROHTTPD_H
#define NOVABLEND_MICROHTTPD_H

// Included by its path, so that Swift finds the library's types in the system library's module
// instead of this one.
#include "../../NovaBlendSystemMicroHTTPD/shim.h"

/// Starts a daemon on an IPv4 address (host byte order) with a pool of epoll threads. Returns NULL
/// on failure. It wraps a variadic function, which Swift cannot call.
struct MHD_Daemon *nb_mhd_start(uint32_t address, uint16_t port, unsigned threads,
                                unsigned connections, unsigned timeout_seconds,
                                MHD_AccessHandlerCallback handler,
                                MHD_RequestCompletedCallback completed, void *context);

/// The port that the daemon listens on; 0 if it is unknown.
uint16_t nb_mhd_port(struct MHD_Daemon *daemon);

/// A response with a copy of `bytes`.
static inline struct MHD_Response *nb_mhd_response(const void *bytes, size_t length) {
    return MHD_create_response_from_buffer(length, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

#endif
