#ifndef NOVABLEND_CCURL_SHIM_H
#define NOVABLEND_CCURL_SHIM_H

#include <curl/curl.h>

// Swift cannot call variadic functions: one function a type of argument.

typedef size_t (*nb_curl_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*nb_curl_before)(void *context, char *remote, char *local, int remote_port,
                              int local_port);

static inline CURLcode nb_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_callback(CURL *easy, CURLoption option, nb_curl_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_before(CURL *easy, nb_curl_before value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLMcode nb_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLcode nb_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode nb_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode nb_curl_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode nb_curl_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

/// The result of a message that says that a transfer is done, and the transfer's CURLOPT_PRIVATE;
/// null for any other message.
static inline void *nb_curl_done(const CURLMsg *message, CURLcode *result) {
    char *context = NULL;
    if (message->msg != CURLMSG_DONE) return NULL;
    *result = message->data.result;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
    return context;
}

#endif
