#include "cjournalfloor.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In bytes: a claim without its reference, and approximately FORT's answer.
enum { CLAIM_LENGTH = 200, RECEIPT_LENGTH = 1200 };

struct journal_floor {
    sqlite3 *database;
    sqlite3_stmt *begin, *claim, *settle, *commit;
    long last;
};

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    return statement;
}

journal_floor *journal_floor_open(const char *path) {
    journal_floor *made = calloc(1, sizeof *made);
    const char *setup = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                        "CREATE TABLE payment (reference TEXT PRIMARY KEY, claim BLOB, receipt BLOB) WITHOUT ROWID;";
    if (sqlite3_open(path, &made->database) != SQLITE_OK
        || sqlite3_exec(made->database, setup, NULL, NULL, NULL) != SQLITE_OK) {
        journal_floor_close(made);
        return NULL;
    }
    made->begin = prepare(made->database, "BEGIN IMMEDIATE");
    made->claim = prepare(made->database, "INSERT INTO payment VALUES (?1, ?2, NULL)");
    made->settle = prepare(made->database, "UPDATE payment SET receipt = ?2 WHERE reference = ?1");
    made->commit = prepare(made->database, "COMMIT");
    return made;
}

void journal_floor_close(journal_floor *floor) {
    sqlite3_finalize(floor->begin);
    sqlite3_finalize(floor->claim);
    sqlite3_finalize(floor->settle);
    sqlite3_finalize(floor->commit);
    sqlite3_close(floor->database);
    free(floor);
}

static bool run(sqlite3_stmt *statement) {
    bool is_done = sqlite3_step(statement) == SQLITE_DONE;
    return sqlite3_reset(statement) == SQLITE_OK && is_done;
}

static bool write_rows(journal_floor *floor, sqlite3_stmt *statement, int payments, int length) {
    static const char content[RECEIPT_LENGTH];
    if (!run(floor->begin)) return false;
    for (int place = 0; place < payments; place++) {
        char reference[32];
        int reference_length = snprintf(reference, sizeof reference, "ORDER-%ld", floor->last + place);
        sqlite3_bind_text(statement, 1, reference, reference_length, SQLITE_STATIC);
        sqlite3_bind_blob(statement, 2, content, length, SQLITE_STATIC);
        if (!run(statement)) return false;
    }
    return run(floor->commit);
}

bool journal_floor_write(journal_floor *floor, int payments) {
    bool is_written = write_rows(floor, floor->claim, payments, CLAIM_LENGTH)
        && write_rows(floor, floor->settle, payments, RECEIPT_LENGTH);
    floor->last += payments;
    return is_written;
}
