// Uses a database of the backend directly, without HTTP: the same tables, indexes, and durability,
// on one connection and one thread.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Clients that wait at the same time, as in the load on the backend.
#define CLIENTS 64
#define MAXIMUM_COLUMNS 32

static sqlite3 *database;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check(int code, int expected, const char *what) {
    if (code == expected) return;
    fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(database));
    exit(1);
}

static void run(const char *sql) {
    check(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK, sql);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK, sql);
    return statement;
}

// An INSERT of copies of the first appointment, which differ in their ids, times, and keys.
struct copies {
    sqlite3_stmt *insert;
    int id_column, instant_column, key_column;
    sqlite3_int64 first_instant;
    char salon[64];
};

static struct copies prepare_copies(void) {
    struct copies copies = {.id_column = -1, .instant_column = -1, .key_column = -1};
    // All columns except those that are computed.
    sqlite3_stmt *list = prepare("SELECT group_concat(name) FROM pragma_table_info('appointments')");
    check(sqlite3_step(list), SQLITE_ROW, "the table appointments has no columns");
    const unsigned char *names = sqlite3_column_text(list, 0);
    char sql[2048];
    snprintf(sql, sizeof sql, "SELECT %s FROM appointments LIMIT 1", names);
    sqlite3_stmt *first = prepare(sql);
    check(sqlite3_step(first), SQLITE_ROW, "the table appointments has no row to copy");
    int columns = sqlite3_column_count(first);
    if (columns > MAXIMUM_COLUMNS) exit(2);
    char parameters[2 * MAXIMUM_COLUMNS + 2] = "?";
    for (int i = 1; i < columns; i++) strcat(parameters, ",?");
    snprintf(sql, sizeof sql, "INSERT INTO appointments (%s) VALUES (%s)", names, parameters);
    sqlite3_finalize(list);
    copies.insert = prepare(sql);
    for (int i = 0; i < columns; i++) {
        const char *name = sqlite3_column_name(first, i);
        if (strcmp(name, "id") == 0) copies.id_column = i;
        if (strcmp(name, "idempotency_key") == 0) copies.key_column = i;
        if (strcmp(name, "instant") == 0) {
            copies.instant_column = i;
            copies.first_instant = sqlite3_column_int64(first, i);
        }
        if (strcmp(name, "salon_id") == 0) {
            snprintf(copies.salon, sizeof copies.salon, "%s", sqlite3_column_text(first, i));
        }
        // Without a value, the number of the row is the next one.
        if (strcmp(name, "number") == 0) continue;
        sqlite3_bind_value(copies.insert, i + 1, sqlite3_column_value(first, i));
    }
    if (copies.id_column < 0 || copies.instant_column < 0 || copies.key_column < 0) exit(2);
    sqlite3_finalize(first);
    return copies;
}

// Inserts copy number 1 or later. There are 16 half hours on each day.
static void insert_copy(const struct copies *copies, long number) {
    char id[64], key[64];
    // Ids are in the order of their creation, as those of the backend.
    snprintf(id, sizeof id, "%08lx-%04lx-7000-8000-000000000000", number >> 16, number & 0xFFFF);
    snprintf(key, sizeof key, "copy-%ld", number);
    sqlite3_int64 instant = copies->first_instant + number / 16 * 86400 + number % 16 * 1800;
    sqlite3_bind_text(copies->insert, copies->id_column + 1, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(copies->insert, copies->key_column + 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(copies->insert, copies->instant_column + 1, instant);
    check(sqlite3_step(copies->insert), SQLITE_DONE, "INSERT");
    sqlite3_reset(copies->insert);
}

static void fill(long count) {
    struct copies copies = prepare_copies();
    run("BEGIN");
    for (long number = 1; number <= count; number++) insert_copy(&copies, number);
    run("COMMIT");
    printf("{\"copies\":%ld}\n", count);
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

// Inserts one appointment per transaction. If CLIENTS clients took turns, each would wait for the
// transactions of all others and its own, so a latency is the time of CLIENTS transactions.
static void book(double seconds) {
    struct copies copies = prepare_copies();
    size_t count = 0, capacity = 1 << 20;
    double *times = calloc(capacity, sizeof *times);
    if (times == NULL) exit(2);
    double start_time = times[0] = now();
    while (times[count] - start_time < seconds && count + 1 < capacity) {
        insert_copy(&copies, (long)count + 1);
        times[++count] = now();
    }
    if (count < 2 * CLIENTS) exit(2);
    double rate = (double)count / (times[count] - start_time);
    size_t latencies = count + 1 - CLIENTS;
    for (size_t i = 0; i < latencies; i++) times[i] = times[i + CLIENTS] - times[i];
    qsort(times, latencies, sizeof *times, compare);
    printf("{\"bookings\":%.3f,\"p50\":%.9f,\"p99\":%.9f}\n", rate, times[latencies / 2],
           times[(size_t)((double)(latencies - 1) * 0.99 + 0.5)]);
}

// Reads what the backend reads: the salon from the first row, and the times from the others. Returns
// the number of rows.
static long read_agenda(sqlite3_stmt *agenda) {
    long rows = 0;
    int code;
    for (; (code = sqlite3_step(agenda)) == SQLITE_ROW; rows++) {
        if (rows == 0) {
            sqlite3_column_text(agenda, 0);
            sqlite3_column_int64(agenda, 1);
            sqlite3_column_text(agenda, 2);
            continue;
        }
        sqlite3_column_int64(agenda, 3);
        sqlite3_column_int64(agenda, 4);
        sqlite3_column_text(agenda, 5);
        sqlite3_column_int64(agenda, 6);
    }
    check(code, SQLITE_DONE, "SELECT");
    sqlite3_reset(agenda);
    return rows;
}

#define INTERVAL \
    "instant - buffer_before * 60, instant + (minutes + buffer_after) * 60, staff_id, seats"
#define OVERLAPS \
    "instant - buffer_before * 60 < ?3 AND instant + (minutes + buffer_after) * 60 > ?2"
#define IS_LONG "buffer_before + minutes + buffer_after > 180"

// Runs the statement of an availability answer (BusyRows.swift in SQLiteStorage), with the values
// that it has for the tenth day from 0:00 to 23:00. A slot may end on the next day.
static void query(double seconds) {
    struct copies copies = prepare_copies();
    sqlite3_stmt *agenda = prepare(
        "SELECT id, version, json, NULL, NULL, NULL, NULL FROM salons"
        " WHERE id = ?1 AND json IS NOT NULL"
        " UNION ALL"
        " SELECT NULL, NULL, NULL, " INTERVAL
        " FROM appointments INDEXED BY active_appointments"
        " WHERE status = 'booked' AND salon_id = ?1 AND NOT (" IS_LONG ") AND " OVERLAPS
        " AND instant > ?2 - 180 * 60 AND instant < ?3 + 180 * 60"
        " UNION ALL"
        " SELECT NULL, NULL, NULL, " INTERVAL
        " FROM appointments INDEXED BY long_appointments"
        " WHERE status = 'booked' AND salon_id = ?1 AND " IS_LONG " AND " OVERLAPS
        " AND instant > ?2 - 2 * 86400 AND instant < ?3 + 86400"
        " UNION ALL"
        " SELECT NULL, NULL, NULL, " INTERVAL " FROM holds INDEXED BY holds_of_salons"
        " WHERE salon_id = ?1 AND expires_at > ?4 AND " OVERLAPS);
    sqlite3_int64 from = (copies.first_instant / 86400 + 9) * 86400;
    sqlite3_bind_text(agenda, 1, copies.salon, -1, SQLITE_STATIC);
    sqlite3_bind_int64(agenda, 2, from);
    sqlite3_bind_int64(agenda, 3, from + 47 * 3600);
    sqlite3_bind_int64(agenda, 4, time(NULL));
    double start_time = now();
    long count = 0, rows = 0;
    for (; now() - start_time < seconds; count++) rows = read_agenda(agenda);
    check(rows > 1, 1, "the statement finds no appointments");
    printf("{\"reads\":%.3f,\"rows\":%ld}\n", (double)count / (now() - start_time), rows);
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    check(sqlite3_open_v2(arguments[2], &database, flags, NULL), SQLITE_OK, arguments[2]);
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON");
    if (strcmp(arguments[1], "fill") == 0) fill(atol(arguments[3]));
    else if (strcmp(arguments[1], "book") == 0) book(atof(arguments[3]));
    else if (strcmp(arguments[1], "query") == 0) query(atof(arguments[3]));
    else return 64;
    sqlite3_close(database);
    return 0;
}
