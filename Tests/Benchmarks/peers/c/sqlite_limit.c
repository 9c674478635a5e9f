// Runs the backend's SQL statements on SQLite without HTTP. This is an upper bound for the backend.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static sqlite3 *database;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run(const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
        exit(1);
    }
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) exit(1);
    return statement;
}

static void execute(sqlite3_stmt *statement, int expected) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    }
    if (code != expected) exit(2);
    sqlite3_reset(statement);
}

static const char *const BODY =
    "{\"salonId\":\"5a100000-0000-4000-8000-000000000001\","
    "\"appointmentTime\":\"2040-01-01T12:00:00+0000\",\"phone\":\"+49 30 1234567\"}";

static double book(double seconds) {
    sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
    sqlite3_stmt *find_response = prepare("SELECT body, response FROM idempotency WHERE key = ?");
    sqlite3_stmt *insert =
        prepare("INSERT INTO appointments VALUES (?, 's', ?, 0, 'p', NULL, NULL, 1)");
    sqlite3_stmt *save_response = prepare("INSERT INTO idempotency VALUES (?, ?, ?)");
    double start_time = now();
    long count = 0;
    for (; now() - start_time < seconds; count++) {
        char key[64];
        snprintf(key, sizeof key, "5a100000-0000-4000-8000-%012ld", count);
        execute(begin, SQLITE_DONE);
        sqlite3_bind_text(find_response, 1, key, -1, SQLITE_STATIC);
        execute(find_response, SQLITE_DONE);
        sqlite3_bind_text(insert, 1, key, -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, count);
        execute(insert, SQLITE_DONE);
        sqlite3_bind_text(save_response, 1, key, -1, SQLITE_STATIC);
        sqlite3_bind_text(save_response, 2, BODY, -1, SQLITE_STATIC);
        sqlite3_bind_text(save_response, 3, BODY, -1, SQLITE_STATIC);
        execute(save_response, SQLITE_DONE);
        execute(commit, SQLITE_DONE);
    }
    return (double)count / (now() - start_time);
}

static double read_availability(double seconds) {
    sqlite3_stmt *booked = prepare(
        "SELECT instant FROM appointments WHERE salon_id = 's' AND instant BETWEEN ? AND ?");
    double start_time = now();
    long count = 0;
    for (; now() - start_time < seconds; count++) {
        sqlite3_bind_int64(booked, 1, count % 100);
        sqlite3_bind_int64(booked, 2, count % 100 + 48);
        execute(booked, SQLITE_DONE);
    }
    return (double)count / (now() - start_time);
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    double seconds = atof(arguments[2]);
    if (sqlite3_open(arguments[1], &database) != SQLITE_OK) return 1;
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON");
    run("CREATE TABLE appointments (id TEXT PRIMARY KEY, salon_id TEXT NOT NULL,"
        " instant INTEGER NOT NULL, offset_minutes INTEGER NOT NULL, phone TEXT NOT NULL,"
        " email TEXT, notes TEXT, version INTEGER NOT NULL, UNIQUE (salon_id, instant)) STRICT");
    run("CREATE TABLE idempotency (key TEXT PRIMARY KEY, body TEXT NOT NULL,"
        " response TEXT NOT NULL) STRICT");
    double bookings = book(seconds), reads = read_availability(seconds);
    printf("{\"bookings\":%.3f,\"reads\":%.3f}\n", bookings, reads);
    return 0;
}
