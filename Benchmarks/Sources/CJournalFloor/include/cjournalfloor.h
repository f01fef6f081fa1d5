// What recording a payment durably costs SQLite at the least.
#ifndef CJOURNALFLOOR_H
#define CJOURNALFLOOR_H

#include <stdbool.h>

// A new database with one table, in WAL mode with synchronous=FULL; every statement is prepared.
typedef struct journal_floor journal_floor;
journal_floor *journal_floor_open(const char *path);
void journal_floor_close(journal_floor *floor);

// Two writes for each of so many new payments: a row is added, in a commit that all share, and in a second one it gets the
// answer. Nothing is looked up, and no history is kept.
bool journal_floor_write(journal_floor *floor, int payments);

#endif
