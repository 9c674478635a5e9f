// Sends concurrent keep-alive GET requests with libcurl's multi interface.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct body {
    char *bytes;
    size_t length, capacity;
};

static size_t append(char *bytes, size_t size, size_t count, void *context) {
    struct body *body = context;
    if (body->length + count > body->capacity) {
        body->capacity = (body->length + count) * 2;
        body->bytes = realloc(body->bytes, body->capacity);
        if (body->bytes == NULL) return 0;
    }
    memcpy(body->bytes + body->length, bytes, count);
    body->length += count;
    return size * count;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cpu_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

// Completes `count` requests. Each handle starts the next request as soon as it is done.
static void get(CURLM *multi, CURL **handles, int concurrency, long count) {
    long started = concurrency, done = 0;
    for (int i = 0; i < concurrency; i++) curl_multi_add_handle(multi, handles[i]);
    while (done < count) {
        int running, left;
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left)) != NULL) {
            CURL *easy = message->easy_handle;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (message->data.result != CURLE_OK || status != 200) exit(2);
            struct body *body;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&body);
            body->length = 0;
            curl_multi_remove_handle(multi, easy);
            done++;
            if (started < count) {
                curl_multi_add_handle(multi, easy);
                started++;
            }
        }
        if (done < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

int main(int count, char **arguments) {
    if (count < 5) return 64;
    int concurrency = atoi(arguments[3]);
    long requests = atol(arguments[4]);
    CURLM *multi = curl_multi_init();
    CURL **handles = calloc((size_t)concurrency, sizeof *handles);
    struct body *bodies = calloc((size_t)concurrency, sizeof *bodies);
    for (int i = 0; i < concurrency; i++) {
        handles[i] = curl_easy_init();
        curl_easy_setopt(handles[i], CURLOPT_URL, arguments[2]);
        curl_easy_setopt(handles[i], CURLOPT_WRITEFUNCTION, append);
        curl_easy_setopt(handles[i], CURLOPT_WRITEDATA, &bodies[i]);
        curl_easy_setopt(handles[i], CURLOPT_PRIVATE, &bodies[i]);
        curl_easy_setopt(handles[i], CURLOPT_PROXY, "");
    }
    get(multi, handles, concurrency, concurrency);
    double start_time = now(), cpu_start = cpu_seconds();
    get(multi, handles, concurrency, requests);
    double seconds = now() - start_time;
    printf("{\"rate\":%.3f,\"cpu\":%.9f}\n", (double)requests / seconds,
           (cpu_seconds() - cpu_start) / (double)requests);
    return 0;
}
