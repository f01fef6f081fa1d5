// The least work that SQLite needs to record a payment durably.
#ifndef CJOURNALFLOOR_H
#define CJOURNALFLOOR_H

#include <stdbool.h>

// A new database with one table, in WAL mode with synchronous=FULL. Every statement is prepared.
typedef struct journal_floor journal_floor;
journal_floor *journal_floor_open(const char *path);
void journal_floor_close(journal_floor *floor);

// Writes twice for each of `payments` new payments: a row is added, in a commit that all payments share; in a second commit it
// gets the answer. Nothing is looked up, and no history is kept.
bool journal_floor_write(journal_floor *floor, int payments);

#endif
