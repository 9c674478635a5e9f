#include "NovaBlendMicroHTTPD.h"

#include <netinet/in.h>
#include <string.h>

/// Decodes percent-encoding in place. The result is read as a C string. A NUL would end it early, so
/// that "/a%00b" would mean "/a". So "%00" becomes U+FFFD, which also has three bytes and occurs in
/// no valid id, key, or number.
static size_t unescape(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    for (char *found = text; (found = strstr(found, "%00")) != NULL; found += 3)
        memcpy(found, "\xEF\xBF\xBD", 3);
    return MHD_http_unescape(text);
}

struct MHD_Daemon *nb_mhd_start(uint32_t address, uint16_t port, unsigned threads,
                                unsigned connections, unsigned timeout_seconds,
                                MHD_AccessHandlerCallback handler,
                                MHD_RequestCompletedCallback completed, void *context) {
    struct sockaddr_in socket_address;
    memset(&socket_address, 0, sizeof socket_address);
    socket_address.sin_family = AF_INET;
    socket_address.sin_port = htons(port);
    socket_address.sin_addr.s_addr = htonl(address);
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&socket_address, MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_UNESCAPE_CALLBACK, unescape,
        NULL, MHD_OPTION_END);
}

uint16_t nb_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}
