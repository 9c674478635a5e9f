// The minimum for loading a list from a server: download with libcurl into a file, fsync, and parse
// with simdjson.
#include <curl/curl.h>
#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

static size_t append(char *bytes, size_t, size_t count, void *file) {
    return write(*static_cast<int *>(file), bytes, count) == static_cast<ssize_t>(count) ? count
                                                                                        : 0;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    curl_global_init(CURL_GLOBAL_ALL);
    const auto start = std::chrono::steady_clock::now();
    const std::string path = arguments[2];
    int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, arguments[1]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &file);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    if (file < 0 || curl_easy_perform(easy) != CURLE_OK || fsync(file) != 0) return 1;
    close(file);
    simdjson::dom::parser parser;
    simdjson::dom::array salons;
    if (parser.load(path)["salons"].get(salons) != simdjson::SUCCESS) return 2;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    std::printf("{\"seconds\":%.9f,\"salons\":%zu}\n", elapsed.count(), salons.size());
}
