#include "NovaBlendCurl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

struct nb_curl_table nb_curl_functions;

// An older version would ignore options that matter, such as CURLOPT_PROTOCOLS_STR.
enum { oldest = 0x075700 };

static bool fail(char *message, const char *reason) {
    snprintf(message, nb_curl_message_size, "%s", reason ? reason : "unknown error");
    return false;
}

static bool find_functions(void *library, struct nb_curl_table *table, char *message) {
    void *symbol;
#define NB_CURL_FIND(name)                                                                         \
    symbol = dlsym(library, "curl_" #name);                                                        \
    if (symbol == NULL) return fail(message, dlerror());                                           \
    *(void **)&table->name = symbol;
    NB_CURL_FUNCTIONS(NB_CURL_FIND)
#undef NB_CURL_FIND
    return true;
}

bool nb_curl_load(const char *name, char message[nb_curl_message_size]) {
    struct nb_curl_table table;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return fail(message, dlerror());
    if (!find_functions(library, &table, message)) {
        dlclose(library);
        return false;
    }
    const curl_version_info_data *version = table.version_info(CURLVERSION_NOW);
    if (version->version_num < oldest) {
        snprintf(message, nb_curl_message_size, "%s is older than 7.87", version->version);
        dlclose(library);
        return false;
    }
    nb_curl_functions = table;
    return true;
}

int nb_epoll_wait_microseconds(int epoll_fd, struct epoll_event *events, int maximum,
                               long microseconds) {
    const struct timespec time = {0, microseconds * 1000};
    return epoll_pwait2(epoll_fd, events, maximum, &time, NULL);
}
