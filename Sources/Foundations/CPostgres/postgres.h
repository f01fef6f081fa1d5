// libpq, and its constants that Swift does not see: macros that are character literals.
#ifndef PAYRELAY_POSTGRES_H
#define PAYRELAY_POSTGRES_H

#include <libpq-fe.h>

static const int payrelay_pg_sqlstate = PG_DIAG_SQLSTATE;
static const int payrelay_pg_message_primary = PG_DIAG_MESSAGE_PRIMARY;

#endif
