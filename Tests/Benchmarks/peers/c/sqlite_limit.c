// The backend's own statements on SQLite, prepared, without HTTP around them: its upper bound.
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

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) exit(1);
    return statement;
}

static void finish(sqlite3_stmt *statement, int expected) {
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
    sqlite3_stmt *begin = prepared("BEGIN IMMEDIATE"), *commit = prepared("COMMIT");
    sqlite3_stmt *known = prepared("SELECT body, response FROM idempotency WHERE key = ?");
    sqlite3_stmt *add = prepared("INSERT INTO appointments VALUES (?, 's', ?, 0, 'p', NULL, NULL, 1)");
    sqlite3_stmt *keep = prepared("INSERT INTO idempotency VALUES (?, ?, ?)");
    double began = now();
    long count = 0;
    for (; now() - began < seconds; count++) {
        char key[64];
        snprintf(key, sizeof key, "5a100000-0000-4000-8000-%012ld", count);
        finish(begin, SQLITE_DONE);
        sqlite3_bind_text(known, 1, key, -1, SQLITE_STATIC);
        finish(known, SQLITE_DONE);
        sqlite3_bind_text(add, 1, key, -1, SQLITE_STATIC);
        sqlite3_bind_int64(add, 2, count);
        finish(add, SQLITE_DONE);
        sqlite3_bind_text(keep, 1, key, -1, SQLITE_STATIC);
        sqlite3_bind_text(keep, 2, BODY, -1, SQLITE_STATIC);
        sqlite3_bind_text(keep, 3, BODY, -1, SQLITE_STATIC);
        finish(keep, SQLITE_DONE);
        finish(commit, SQLITE_DONE);
    }
    return (double)count / (now() - began);
}

static double look(double seconds) {
    sqlite3_stmt *taken = prepared(
        "SELECT instant FROM appointments WHERE salon_id = 's' AND instant BETWEEN ? AND ?");
    double began = now();
    long count = 0;
    for (; now() - began < seconds; count++) {
        sqlite3_bind_int64(taken, 1, count % 100);
        sqlite3_bind_int64(taken, 2, count % 100 + 48);
        finish(taken, SQLITE_DONE);
    }
    return (double)count / (now() - began);
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
    double bookings = book(seconds), reads = look(seconds);
    printf("{\"bookings\":%.3f,\"reads\":%.3f}\n", bookings, reads);
    return 0;
}
