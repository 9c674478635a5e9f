#ifndef NOVABLEND_CCURL_SHIM_H
#define NOVABLEND_CCURL_SHIM_H

#include <curl/curl.h>

// Swift cannot call variadic functions: one function a type of argument.

typedef size_t (*nb_curl_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode nb_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_set_callback(CURL *easy, CURLoption option, nb_curl_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode nb_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode nb_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

/// The handle and result of a message that says that a transfer is done; null for any other.
static inline CURL *nb_curl_done(const CURLMsg *message, CURLcode *result) {
    if (message->msg != CURLMSG_DONE) return NULL;
    *result = message->data.result;
    return message->easy_handle;
}

#endif
