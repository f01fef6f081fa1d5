/*
 * The life of one order: claim, charge, settle, lease and takeover, query and hint.
 *
 * docs/model.md explains it, and says which label is which function of the code. `make model` checks it.
 *
 * Two instances have one journal. A process may end before each of its atomic steps: that is a crash.
 *
 * Set by -D:
 *   REQUESTS, RECONCILERS, INVESTIGATORS   how many processes of a kind there are.
 *   CLAIMS=1..3     how many claims there can be of the order.
 *   MISTAKE=1..5    plants a mistake.
 *   GOAL=1..7       fails if a situation is reached that must be reachable.
 *   ASYNCHRONOUS    a failover may lose a write that was acknowledged.
 *   WRONG_CLOCKS    an instance may not see that its lease has expired, and "not found" may be final too early.
 *   DIRTY_READS     what a failover loses may have been read before.
 *   ONLY_TWICE      "not processed" is not asserted, so a second charge is found first.
 *   LIVENESS        at some moment everything stops failing.
 */

#ifndef REQUESTS
#define REQUESTS 2
#endif
#ifndef RECONCILERS
#define RECONCILERS 1
#endif
#ifndef INVESTIGATORS
#define INVESTIGATORS 1
#endif
#ifndef CLAIMS
#define CLAIMS 2
#endif
#ifndef MISTAKE
#define MISTAKE 0
#endif
#ifndef GOAL
#define GOAL 0
#endif

/* A state of a payment. One stands for all that have money. */
mtype = { absent, processing, uncertain, not_sent, captured, declined, not_processed }
/* An answer to a charge or a query, beside captured and declined. Silence is also an answer that proves nothing. */
mtype = { nothing_left, silence, pending, not_found }
/* A charge in the network. */
mtype = { unsent, travelling, arrived, decided, lost }
/* How a write ends. */
mtype = { written, refused, unknown }
/* An input of the payment's state machine. */
mtype = { charged, interrupted, queried }

/* ---- The journal ---- */

typedef Journal {
    mtype state = absent;
    byte claim;          /* Which claim of the order it is: `claimed_at`. */
    byte version;
    mtype hint = absent; /* The newest hint's statement; absent if no hint waits. */
    bit mixed;           /* Hints of other contents came before it. */
    bit leased;          /* The hint is. */
    byte since;          /* How many hints came since then; 2 is two or more. */
}

Journal row;     /* What is read and written. */
Journal standby; /* What is there after a failover. */

/* The claim's lease has neither expired nor been used. */
bit holds[CLAIMS + 1];
byte claims;

/* ---- The gateway ---- */

mtype charge[CLAIMS + 1] = unsent;
mtype books = absent;    /* What it says of the order: absent, declined, captured. */
mtype hint_due = absent; /* The hint that it sends until it is acknowledged. */

/* ---- Failures ---- */

#ifdef LIVENESS
bit calm; /* Nothing fails any more. Before, anything does, any number of times. */
#define fails (!calm)
#else
#define fails true
#endif
#define CRASH :: fails -> goto crashed

/* ---- For the properties alone ---- */

bit was_declined;
bit told_not_processed;
bit is_about_to_send[CLAIMS + 1];
#if GOAL == 3
bit reclaimed;
#endif

#if CLAIMS == 3
#define any(p) (p(1) || p(2) || p(3))
#elif CLAIMS == 2
#define any(p) (p(1) || p(2))
#else
#define any(p) (p(1))
#endif
#define is_on_its_way(c) (is_about_to_send[c] || charge[c] == travelling)
#define is_undecided(c)  (charge[c] == arrived)

#define is_open(s)     (s == processing || s == uncertain)
#define is_unpaid(s)   (s == not_sent || s == declined || s == not_processed)
#define has_outcome(r) (r == captured || r == declined)
/* Change.obstacle: the same version of the same claim. */
#define is_as_read     (row.state != absent && row.claim == now_claim && row.version == now_version)
#define may_change     (is_as_read || MISTAKE == 4)

/* "Not processed" is reported only if the order was not charged and never will be. */
#if defined(WRONG_CLOCKS) || defined(ONLY_TWICE)
#define never_charged true
#else
#define never_charged !(told_not_processed && books == captured)
#endif

#define goal(n, p) assert(!(GOAL == n && (p)))

/* ---- A write ---- */

inline replicate() {
    standby.state = row.state;
    standby.claim = row.claim;
    standby.version = row.version;
    standby.hint = row.hint;
    standby.mixed = row.mixed;
    standby.leased = row.leased;
    standby.since = row.since
}

/* The end of each write that was made. What is in the journal is told, so it has to be proven. */
inline end_write() {
    if
    :: row.state == captured -> assert(books == captured)
    :: row.state == declined -> assert(was_declined)
    :: row.state == not_sent -> assert(charge[row.claim] == unsent)
    :: else
    fi;
    if
    :: replicate(); result = written
    :: fails -> replicate(); result = unknown /* The acknowledgement is lost. */
#ifdef ASYNCHRONOUS
    :: fails -> result = written              /* Acknowledged, and not on the standby. */
#endif
#ifdef DIRTY_READS
    :: fails -> result = unknown              /* Not on the standby, and others read it. */
#endif
    fi
}

/* Reads the payment. */
inline read_row() {
    now_state = row.state;
    now_claim = row.claim;
    now_version = row.version
}

/* ---- Recording ---- */

/* Sets `next`, the state after an input to the payment as it was read; absent if nothing is to be written. */
inline apply(input) {
    next = absent;
    if
    :: input == charged && now_state == processing && report == nothing_left -> next = not_sent
#if MISTAKE == 2
    :: input == charged && now_state == processing && report == silence -> next = declined
#else
    :: input == charged && now_state == processing && report == silence -> next = uncertain
#endif
    :: input == charged && now_state == processing && report == pending -> next = uncertain
    :: input == charged && now_state == processing && has_outcome(report) -> next = report
    :: input == interrupted && now_state == processing -> next = uncertain
    :: input != interrupted && now_state == uncertain && has_outcome(report) -> next = report
    :: input == queried && now_state == uncertain && report == not_found && patient -> next = not_processed
    /* Charged after all. */
    :: input != interrupted && is_unpaid(now_state) && report == captured -> next = captured
    :: else
    fi
}

/*
 * Decides and writes. If others have changed the payment, reads it and decides again.
 * If the journal fails, or the order was claimed again, it ends as a crash does: nothing is known, and the lease expires.
 */
inline record(input) {
    do
    :: atomic {
            is_stale; /* Reads it again. */
            is_stale = 0;
            first_claim = (first_claim -> first_claim : now_claim);
            if
            CRASH
            :: fails || row.state == absent -> first_claim = 0; goto crashed
            :: row.state != absent -> read_row()
            fi;
            /* Claimed again: what is known of the earlier claim says nothing of this one. */
            if
            :: now_state == processing && now_claim != first_claim -> first_claim = 0; goto crashed
            :: else
            fi
        }
    :: atomic {
            !is_stale;
            apply(input);
            if
            :: next == absent -> first_claim = 0; is_repeated = 0; break
            :: else
            fi;
            if
            CRASH
            :: fails -> result = unknown /* It was not written. */
            :: may_change ->
                row.state = next;
                row.claim = now_claim;
                row.version++;
                goal(1, input == queried && now_state == uncertain && next == captured);
                goal(4, now_state == declined && next == captured);
                goal(6, next == not_processed);
                goal(7, input == charged && now_state == uncertain && next == captured);
                if
                :: next == not_processed -> told_not_processed = 1; assert(never_charged)
                :: else
                fi;
                end_write()
            :: !may_change -> result = refused
            fi;
            goal(5, result == refused && is_repeated && row.state == next);
            if
            :: result == written -> now_state = next; now_version++
            :: result == unknown && is_repeated -> first_claim = 0
            :: else
            fi;
            next = absent;
            if
            :: result == written -> result = absent; first_claim = 0; is_repeated = 0; break
            :: result == unknown && is_repeated -> result = absent; is_repeated = 0; goto crashed
            :: result == unknown && !is_repeated -> result = absent; is_repeated = 1
            :: result == refused -> result = absent; is_repeated = 0; is_stale = 1
            fi
        }
    od
}

inline forget() {
    now_state = absent; now_claim = 0; now_version = 0; first_claim = 0;
    next = absent; result = absent; report = absent;
    is_repeated = 0; is_stale = 0; patient = 0
}

/* ---- A client's request ---- */

#if REQUESTS
active [REQUESTS] proctype Request() {
    mtype now_state = absent, next = absent, result = absent, report = absent;
    byte now_claim, now_version, first_claim, mine;
    bit is_repeated, is_stale, patient, told_not_sent;

receive:
    claims < CLAIMS;

claim_insert:
    atomic {
        if
        CRASH
        :: claims == CLAIMS -> goto again
        :: claims < CLAIMS && fails -> claims++; mine = claims; result = unknown
        :: claims < CLAIMS && row.state == absent ->
            claims++;
            mine = claims;
            row.state = processing;
            row.claim = mine;
            row.version = 1;
            now_version = 1;
            holds[mine] = 1;
            end_write()
        :: claims < CLAIMS && row.state != absent -> result = absent; goto claim_conflict
        fi;
        goto claim_end
    }

claim_conflict:
    atomic {
        if
        CRASH
        :: row.state == absent -> goto claim_insert
        :: row.state == not_sent -> read_row()
        /* The client is told what is stored. */
        :: row.state != absent && row.state != not_sent -> goto again
        fi
    }

claim_again:
    atomic {
        if
        CRASH
        :: claims == CLAIMS -> goto again
        :: claims < CLAIMS && fails -> claims++; mine = claims; result = unknown
        :: claims < CLAIMS && row.state != absent && row.version == now_version ->
            claims++;
            mine = claims;
            row.state = processing;
            row.claim = mine;
            row.version++;
            now_version = row.version;
            holds[mine] = 1;
#if GOAL == 3
            reclaimed = 1;
#endif
            end_write()
        :: claims < CLAIMS && (row.state == absent || row.version != now_version) -> result = refused
        fi;
        now_state = absent;
        now_claim = 0;
        if
        :: result == refused -> result = absent; now_version = 0; goto claim_insert
        :: else
        fi
    }

claim_end:
    atomic {
        if
        :: result == unknown && MISTAKE != 1 ->
            /* "The payment could not be recorded." */
            holds[mine] = 0;
            assert(charge[mine] == unsent);
            goto again
        :: result == unknown && MISTAKE == 1 -> holds[mine] = 1
        :: else
        fi;
        result = absent;
        now_state = processing;
        now_claim = mine
    }

charge_check:
    atomic {
        if
        CRASH
        /* The client's deadline was first: it was told that nothing is sent. */
        :: true -> told_not_sent = 1; report = nothing_left; holds[mine] = 0; goto settle
        :: !holds[mine] -> report = nothing_left; goto settle
#ifdef WRONG_CLOCKS
        :: !holds[mine]
#endif
        :: holds[mine]
        fi;
        holds[mine] = 0;
        is_about_to_send[mine] = 1
    }

charge_send:
    atomic {
        is_about_to_send[mine] = 0;
        if
        CRASH
        :: true -> report = nothing_left; goto settle /* No connection. */
        :: true
        fi;
        assert(!told_not_sent);
        charge[mine] = travelling
    }

charge_answer:
    atomic {
        if
        CRASH
        :: true -> report = silence
        :: charge[mine] == arrived -> report = pending
        :: charge[mine] == decided -> report = books
        fi
    }

settle:
    skip;
    record(charged);

again:
    atomic {
#if GOAL == 3
        goal(3, reclaimed && now_state == captured);
#endif
        /* It is told that nothing was sent, whatever others recorded. */
        assert(report != nothing_left || charge[mine] == unsent);
        forget();
        mine = 0;
        told_not_sent = 0;
        goto receive
    }

crashed:
    /* The client may send the same request again. */
    atomic { holds[mine] = 0; is_about_to_send[mine] = 0; goto again }
}
#endif

/* ---- A query ---- */

/* If there was no answer, or if the journal failed, ends as a crash does: the payment or hint is leased again. */
inline query_status() {
query:
    do
    :: now_state == processing -> record(interrupted)
    :: atomic {
            now_state != processing;
            if
            CRASH
            /* First how long it has been uncertain: long enough is when what was sent has arrived or never will. */
#ifdef WRONG_CLOCKS
            :: now_state == uncertain -> patient = 1
#else
            :: now_state == uncertain && !any(is_on_its_way) -> patient = 1
#endif
            :: fails || now_state != uncertain || any(is_on_its_way)
            fi;
            /* Then the query. */
            if
            :: fails -> report = silence
            :: books != absent -> report = books
            :: books == absent && any(is_undecided) -> report = pending
            :: books == absent && !any(is_undecided) -> report = not_found
            fi;
#if MISTAKE == 3
            patient = (report == not_found && now_state == uncertain)
        }
        atomic {
            /* The time is looked at when the answer is there. Meanwhile the charge may have arrived. */
            patient = (patient && !any(is_on_its_way));
#endif
            patient = (report == not_found -> patient : 0);
            apply(queried);
            if
            :: next == absent && report == silence -> goto crashed
            :: else -> break
            fi
        }
    od;
    if
    :: next == absent
    :: next != absent -> record(queried)
    fi
}

#if RECONCILERS
active [RECONCILERS] proctype Reconciler() {
    mtype now_state = absent, next = absent, result = absent, report = absent;
    byte now_claim, now_version, first_claim;
    bit is_repeated, is_stale, patient;

lease:
    atomic {
        /* A lease may have expired by now: of a crash, or of one that is slow. */
        is_open(row.state);
        goal(2, row.state == processing && !holds[row.claim]);
        read_row();
        holds[now_claim] = 0
    }
    query_status();

crashed:
    /* The lease of the payment expires, if it is still open. */
    atomic { forget(); goto lease }
}
#endif

/* ---- Hints ---- */

#if INVESTIGATORS
active [INVESTIGATORS] proctype Investigator() {
    mtype now_state = absent, next = absent, result = absent, report = absent, hint = absent;
    byte now_claim, now_version, first_claim;
    bit is_repeated, is_stale, patient, mixed;

lease_hint:
    atomic {
        row.hint != absent;
        hint = row.hint;
        mixed = row.mixed;
        row.leased = 1;
        replicate()
    }

investigate:
    atomic {
        if
        CRASH
        :: row.state == absent || (row.state == processing && fails) -> goto crashed /* Postponed. */
        :: row.state == processing -> holds[row.claim] = 0
        :: row.state == hint && !mixed -> goto end_hint /* It is known. */
        :: !is_open(row.state) && !(row.state == hint && !mixed)
        :: row.state == uncertain
        fi;
        hint = absent;
        mixed = 0;
        read_row()
    }
    query_status();

end_hint:
    skip;
    atomic {
        if
        CRASH
        :: true
        fi;
        if
        :: row.since == 0 || MISTAKE == 5 -> row.hint = absent; row.mixed = 0
        /* A hint that arrived since then waits for a query of its own. */
        :: row.since == 1 && MISTAKE != 5 -> row.mixed = 0
        :: row.since == 2 && MISTAKE != 5
        fi;
        row.leased = 0;
        row.since = 0;
        end_write()
    }

crashed:
    /* The lease of the hint expires. */
    atomic { row.leased = 0; row.since = 0; forget(); hint = absent; mixed = 0; goto lease_hint }
}
#endif

/* The endpoint for hints, at any instance. What is known is acknowledged, and anything else written first. */
inline receive_hint(says) {
    if
    :: row.state == says -> result = written
    :: else ->
        row.mixed = (row.hint != absent && (row.mixed || row.hint != says));
        row.since = (row.leased && row.since < 2 -> row.since + 1 : row.since);
        row.hint = says;
        end_write()
    fi
}

/* ---- The gateway: it charges each request that arrives ---- */

inline capture() {
    assert(books != captured); /* Charged twice. */
    books = captured;
    assert(never_charged);
    hint_due = (INVESTIGATORS -> captured : absent)
}

inline move(c) {
    if
    :: charge[c] == travelling -> charge[c] = arrived
    :: charge[c] == travelling && fails -> charge[c] = lost
    :: charge[c] == arrived -> charge[c] = decided; capture()
    :: charge[c] == arrived && books == absent ->
        charge[c] = decided;
        was_declined = 1;
        books = declined;
        hint_due = (INVESTIGATORS -> declined : absent)
    fi
}

active proctype Gateway() {
    mtype result = absent;
    bit came_late;
gateway:
    do
    :: atomic { charge[1] == travelling || charge[1] == arrived -> move(1) }
#if CLAIMS >= 2
    :: atomic { charge[2] == travelling || charge[2] == arrived -> move(2) }
#endif
#if CLAIMS == 3
    :: atomic { charge[3] == travelling || charge[3] == arrived -> move(3) }
#endif
#if INVESTIGATORS
    /* It charges what it had declined. A hint says so. */
    :: atomic { books == declined -> capture() }
    :: atomic {
            hint_due != absent ->
                receive_hint(hint_due);
                if
                :: result == written -> hint_due = absent
                :: else
                fi;
                result = absent
        }
    /* An earlier hint comes again, and late. */
    :: atomic {
            fails && books == captured && was_declined && !came_late ->
                came_late = 1;
                receive_hint(declined);
                result = absent
        }
#endif
    od
}

/* ---- What ends by itself ---- */

#if defined(ASYNCHRONOUS) || defined(DIRTY_READS)
#define is_same_hint    (row.hint == standby.hint && row.mixed == standby.mixed && row.since == standby.since)
#define is_same_payment (row.state == standby.state && row.claim == standby.claim && row.version == standby.version)

active proctype Database() {
failover:
    do
    :: atomic {
            fails && !(is_same_hint && is_same_payment) ->
                row.state = standby.state;
                row.claim = standby.claim;
                row.version = standby.version;
                row.hint = standby.hint;
                row.mixed = standby.mixed;
                row.leased = standby.leased;
                row.since = standby.since
        }
    od
}
#endif

#ifdef LIVENESS
active proctype Calm() {
    calm = 1
}

ltl recorded { []<> !(calm && books == captured && row.state != captured) }
ltl settled { []<> !(calm && is_open(row.state)) }
#endif
