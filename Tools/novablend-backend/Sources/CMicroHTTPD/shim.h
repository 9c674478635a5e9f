#ifndef NOVABLEND_CMICROHTTPD_SHIM_H
#define NOVABLEND_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

// Swift cannot call variadic functions: the one call that is needed, with its options fixed.

/// Decodes percent-encoding in place. What it decodes is read as a C string, which an encoded NUL
/// would end early, so that "/a%00b" would name "/a": a NUL becomes U+FFFD, which has as many bytes
/// as "%00" and is in no valid id, key, or number.
static inline size_t nb_mhd_unescape(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    for (char *found = text; (found = strstr(found, "%00")) != NULL; found += 3)
        memcpy(found, "\xEF\xBF\xBD", 3);
    return MHD_http_unescape(text);
}

/// Starts a daemon on an IPv4 address (host order) with a pool of epoll threads.
static inline struct MHD_Daemon *nb_mhd_start(uint32_t address, uint16_t port, unsigned threads,
                                              unsigned connections, unsigned timeout_seconds,
                                              MHD_AccessHandlerCallback handler,
                                              MHD_RequestCompletedCallback completed,
                                              void *context) {
    struct sockaddr_in socket_address;
    memset(&socket_address, 0, sizeof socket_address);
    socket_address.sin_family = AF_INET;
    socket_address.sin_port = htons(port);
    socket_address.sin_addr.s_addr = htonl(address);
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, port, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&socket_address, MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_UNESCAPE_CALLBACK,
        nb_mhd_unescape, NULL, MHD_OPTION_END);
}

static inline uint16_t nb_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

static inline const char *nb_mhd_header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static inline const char *nb_mhd_query(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

/// A response with a copy of `bytes`.
static inline struct MHD_Response *nb_mhd_response(const void *bytes, size_t length) {
    return MHD_create_response_from_buffer(length, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

#endif
