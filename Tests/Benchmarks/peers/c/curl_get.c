// What a C program does with libcurl's multi interface: keep-alive GETs, some at once.
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

static size_t take(char *bytes, size_t size, size_t count, void *context) {
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

static double processor(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

// Ends `count` requests; each handle is used again as soon as it is done.
static void get(CURLM *multi, CURL **handles, int at_once, long count) {
    long started = at_once, done = 0;
    for (int i = 0; i < at_once; i++) curl_multi_add_handle(multi, handles[i]);
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
    int at_once = atoi(arguments[3]);
    long requests = atol(arguments[4]);
    CURLM *multi = curl_multi_init();
    CURL **handles = calloc((size_t)at_once, sizeof *handles);
    struct body *bodies = calloc((size_t)at_once, sizeof *bodies);
    for (int i = 0; i < at_once; i++) {
        handles[i] = curl_easy_init();
        curl_easy_setopt(handles[i], CURLOPT_URL, arguments[2]);
        curl_easy_setopt(handles[i], CURLOPT_WRITEFUNCTION, take);
        curl_easy_setopt(handles[i], CURLOPT_WRITEDATA, &bodies[i]);
        curl_easy_setopt(handles[i], CURLOPT_PRIVATE, &bodies[i]);
        curl_easy_setopt(handles[i], CURLOPT_PROXY, "");
    }
    get(multi, handles, at_once, at_once);
    double began = now(), used = processor();
    get(multi, handles, at_once, requests);
    double seconds = now() - began;
    printf("{\"rate\":%.3f,\"cpu\":%.9f}\n", (double)requests / seconds,
           (processor() - used) / (double)requests);
    return 0;
}
