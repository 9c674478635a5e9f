// Replaces a file durably with the necessary system calls and nothing else.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "drive.h"

static void replace(int directory, const char *bytes, size_t size) {
    int file = openat(directory, ".value.tmp", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) fail("open");
    write_all(file, bytes, size);
    if (fsync(file) != 0 || close(file) != 0) fail("fsync");
    if (renameat(directory, ".value.tmp", directory, "value") != 0) fail("rename");
    if (fsync(directory) != 0) fail("fsync of the directory");
}

int replace_command(int count, char **arguments) {
    if (count < 3) return 64;
    int directory = open(arguments[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    size_t size = strtoul(arguments[1], NULL, 10), rounds = strtoul(arguments[2], NULL, 10);
    char *bytes = malloc(size);
    double *times = calloc(rounds, sizeof *times);
    if (directory < 0 || bytes == NULL || times == NULL || rounds == 0) fail(arguments[0]);
    for (size_t i = 0; i < size; i++) bytes[i] = (char)i;
    for (size_t i = 0; i < rounds; i++) {
        double start_time = now();
        replace(directory, bytes, size);
        times[i] = now() - start_time;
    }
    sort(times, rounds);
    printf("{\"p50\":%.9f,\"p99\":%.9f}\n", percentile(times, rounds, 0.5),
           percentile(times, rounds, 0.99));
    return 0;
}
