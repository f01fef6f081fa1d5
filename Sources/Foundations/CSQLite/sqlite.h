// SQLite, and its variadic function, which Swift does not see.
#ifndef PAYRELAY_SQLITE_H
#define PAYRELAY_SQLITE_H

#include <sqlite3.h>

/// Makes SQLite stop counting its memory, which would lock a mutex with each allocation. Applies to the whole process, and
/// has no effect once SQLite is in use.
static inline void payrelay_sqlite_count_no_memory(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
