// SQLite, and what of it Swift does not see: a function of any number of arguments.
#ifndef PAYRELAY_SQLITE_H
#define PAYRELAY_SQLITE_H

#include <sqlite3.h>

/// Counts no memory, which locks a mutex with each allocation. Of the whole process; without effect once SQLite is in
/// use.
static inline void payrelay_sqlite_count_no_memory(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
