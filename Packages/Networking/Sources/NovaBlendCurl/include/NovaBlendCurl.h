#ifndef NOVABLEND_CURL_H
#define NOVABLEND_CURL_H

// Include the header by its path, so that Swift finds libcurl's types in the system library's
// module, not in this one.
#include "../../NovaBlendSystemCurl/shim.h"
#include <stdbool.h>
// Swift's Glibc module includes neither.
#include <sys/epoll.h>
#include <sys/eventfd.h>

// libcurl depends on about forty libraries, and loading them would take most of a program's startup
// time. So libcurl is not linked, but loaded by name when the first request needs it. The functions
// of its own header cannot be called; use the wrappers below.

/// The size of an error message of nb_curl_load.
enum { nb_curl_message_size = 512 };

/// Loads libcurl and its functions. Returns false, with the reason in `message`, if the library or
/// a function is missing, or the version is older than 7.87. Not thread-safe. Call the other
/// functions only after it has returned true.
bool nb_curl_load(const char *library, char message[nb_curl_message_size]);

#define NB_CURL_FUNCTIONS(each)                                                                    \
    each(easy_cleanup) each(easy_getinfo) each(easy_init) each(easy_pause) each(easy_setopt)       \
    each(easy_strerror) each(free) each(global_init) each(multi_add_handle) each(multi_cleanup)    \
    each(multi_info_read) each(multi_init) each(multi_remove_handle) each(multi_setopt)            \
    each(multi_socket_action) each(multi_timeout) each(slist_append) each(slist_free_all)          \
    each(url) each(url_cleanup) each(url_get) each(url_set) each(version_info)

#define NB_CURL_DECLARE(name) __typeof__(curl_##name) *name;
struct nb_curl_table {
    NB_CURL_FUNCTIONS(NB_CURL_DECLARE)
};
#undef NB_CURL_DECLARE

extern struct nb_curl_table nb_curl_functions;

// Swift cannot call variadic functions, so there is one function for each argument type.

typedef size_t (*nb_curl_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*nb_curl_prerequest_callback)(void *context, char *remote, char *local, int remote_port,
                              int local_port);

#define NB_CURL_SETTER(name, type)                                                                 \
    static inline CURLcode nb_curl_set_##name(CURL *easy, CURLoption option, type value) {         \
        return nb_curl_functions.easy_setopt(easy, option, value);                                 \
    }
NB_CURL_SETTER(long, long)
NB_CURL_SETTER(off_t, curl_off_t)
NB_CURL_SETTER(string, const char *)
NB_CURL_SETTER(pointer, const void *)
NB_CURL_SETTER(callback, nb_curl_callback)
#undef NB_CURL_SETTER

static inline CURLcode nb_curl_set_prerequest_callback(CURL *easy, nb_curl_prerequest_callback value) {
    return nb_curl_functions.easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode nb_curl_set_open_socket_callback(CURL *easy, curl_opensocket_callback value) {
    return nb_curl_functions.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode nb_curl_set_close_socket_callback(CURL *easy, curl_closesocket_callback value) {
    return nb_curl_functions.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

/// Sets the callback that libcurl calls when the events that it waits for on a socket change.
static inline CURLMcode nb_curl_multi_set_socket_callback(CURLM *multi, curl_socket_callback value,
                                                void *context) {
    nb_curl_functions.multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return nb_curl_functions.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

static inline CURLMcode nb_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return nb_curl_functions.multi_setopt(multi, option, value);
}

#define NB_CURL_GETTER(name, type)                                                                 \
    static inline CURLcode nb_curl_get_##name(CURL *easy, CURLINFO info, type *value) {            \
        return nb_curl_functions.easy_getinfo(easy, info, value);                                  \
    }
NB_CURL_GETTER(long, long)
NB_CURL_GETTER(off_t, curl_off_t)
NB_CURL_GETTER(string, const char *)
#undef NB_CURL_GETTER

static inline CURLcode nb_curl_get_socket(CURL *easy, curl_socket_t *value) {
    return nb_curl_functions.easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

/// The fields of the server's certificate, each as "Name:value"; null if there is no certificate.
static inline const struct curl_slist *nb_curl_get_certificate(CURL *easy) {
    const struct curl_certinfo *chain = NULL;
    nb_curl_functions.easy_getinfo(easy, CURLINFO_CERTINFO, &chain);
    return chain != NULL && chain->num_of_certs > 0 ? chain->certinfo[0] : NULL;
}

/// The CURLOPT_PRIVATE of the finished transfer that a message reports, and its result; null for
/// any other message.
static inline void *nb_curl_finished_transfer(const CURLMsg *message, CURLcode *result) {
    char *context = NULL;
    if (message->msg != CURLMSG_DONE) return NULL;
    *result = message->data.result;
    nb_curl_functions.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
    return context;
}

// The other functions have the same parameters as in libcurl, or fewer.

static inline CURLcode nb_curl_global_init(long flags) {
    return nb_curl_functions.global_init(flags);
}

/// The CURL_VERSION_ bits of the features that libcurl was built with.
static inline int nb_curl_features(void) {
    return nb_curl_functions.version_info(CURLVERSION_NOW)->features;
}

static inline const char *nb_curl_easy_strerror(CURLcode code) {
    return nb_curl_functions.easy_strerror(code);
}

/// Pauses each direction whose argument is true, and resumes each whose argument is false. Resuming
/// may call the write callback, whose error is returned.
static inline CURLcode nb_curl_easy_pause(CURL *easy, bool receiving, bool sending) {
    return nb_curl_functions.easy_pause(easy, (receiving ? CURLPAUSE_RECV : CURLPAUSE_RECV_CONT)
                                           | (sending ? CURLPAUSE_SEND : CURLPAUSE_SEND_CONT));
}

static inline CURL *nb_curl_easy_init(void) { return nb_curl_functions.easy_init(); }
static inline void nb_curl_easy_cleanup(CURL *easy) { nb_curl_functions.easy_cleanup(easy); }

static inline struct curl_slist *nb_curl_slist_append(struct curl_slist *list, const char *text) {
    return nb_curl_functions.slist_append(list, text);
}

static inline void nb_curl_slist_free_all(struct curl_slist *list) {
    nb_curl_functions.slist_free_all(list);
}

static inline CURLM *nb_curl_multi_init(void) { return nb_curl_functions.multi_init(); }
static inline void nb_curl_multi_cleanup(CURLM *multi) { nb_curl_functions.multi_cleanup(multi); }

static inline CURLMcode nb_curl_multi_add_handle(CURLM *multi, CURL *easy) {
    return nb_curl_functions.multi_add_handle(multi, easy);
}

static inline void nb_curl_multi_remove_handle(CURLM *multi, CURL *easy) {
    nb_curl_functions.multi_remove_handle(multi, easy);
}

/// Processes events of a socket, or expired timers for CURL_SOCKET_TIMEOUT.
static inline void nb_curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events) {
    int running = 0;
    nb_curl_functions.multi_socket_action(multi, socket, events, &running);
}

/// The milliseconds until the next timer expires, or a negative number if there is no timer.
static inline long nb_curl_multi_timeout(CURLM *multi) {
    long milliseconds = -1;
    nb_curl_functions.multi_timeout(multi, &milliseconds);
    return milliseconds;
}

static inline CURLMsg *nb_curl_multi_info_read(CURLM *multi) {
    int left = 0;
    return nb_curl_functions.multi_info_read(multi, &left);
}

/// epoll_wait with a timeout in microseconds, of less than a second. Fails on kernels before 5.11.
int nb_epoll_wait_microseconds(int epoll_fd, struct epoll_event *events, int maximum,
                               long microseconds);

static inline CURLU *nb_curl_url(void) { return nb_curl_functions.url(); }
static inline void nb_curl_url_cleanup(CURLU *url) { nb_curl_functions.url_cleanup(url); }

static inline CURLUcode nb_curl_url_get(CURLU *url, CURLUPart part, char **value,
                                        unsigned flags) {
    return nb_curl_functions.url_get(url, part, value, flags);
}

static inline CURLUcode nb_curl_url_set(CURLU *url, CURLUPart part, const char *value,
                                        unsigned flags) {
    return nb_curl_functions.url_set(url, part, value, flags);
}

static inline void nb_curl_free(void *bytes) { nb_curl_functions.free(bytes); }

#endif
