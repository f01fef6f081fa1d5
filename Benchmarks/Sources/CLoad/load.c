#define _GNU_SOURCE
#include "cload.h"
#include "connection.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// The requests of one run, and its progress.
typedef struct {
    const uint8_t *bytes;
    const size_t *ends;
    size_t count;
    double rate;
    const char *expected;
    uint64_t *latencies;
    uint64_t start;
    size_t next;
    size_t ended;
} run;

struct load {
    run run;
    connection *connections;
    size_t connection_count;
    // The idle connections, as a ring: each is used in turn, because its server would close an unused one.
    connection **idle;
    size_t idle_first;
    size_t idle_count;
    int epoll;
    char trouble[2048];
};

static uint64_t monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static bool fail(load *load, const char *why, const char *detail) {
    snprintf(load->trouble, sizeof load->trouble, "%s: %.1800s", why, detail);
    return false;
}

// Each connection needs a descriptor. A few descriptors have other uses.
static void allow_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

load *load_open(const uint16_t *ports, size_t port_count, size_t connections) {
    load *made = calloc(1, sizeof *made);
    made->connections = calloc(connections, sizeof *made->connections);
    made->idle = calloc(connections, sizeof *made->idle);
    made->epoll = epoll_create1(EPOLL_CLOEXEC);
    allow_descriptors();
    while (made->connection_count < connections) {
        connection *connection = &made->connections[made->connection_count];
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        if (!connection_open(connection, ports[made->connection_count % port_count])) {
            fail(made, "cannot connect", strerror(errno));
            break;
        }
        epoll_ctl(made->epoll, EPOLL_CTL_ADD, connection->descriptor, &event);
        made->idle[made->idle_count++] = connection;
        made->connection_count++;
    }
    return made;
}

void load_close(load *load) {
    for (size_t place = 0; place < load->connection_count; place++) close(load->connections[place].descriptor);
    close(load->epoll);
    free(load->idle);
    free(load->connections);
    free(load);
}

const char *load_trouble(const load *load) { return load->trouble; }

// Returns the time at which a request is due. In a closed loop that is now.
static uint64_t due(const load *load, size_t number, uint64_t now) {
    return load->run.rate > 0 ? load->run.start + (uint64_t)((double)number * 1e9 / load->run.rate) : now;
}

static bool send_what_is_due(load *load) {
    while (load->run.next < load->run.count && load->idle_count > 0) {
        uint64_t now = monotonic_nanoseconds();
        uint64_t moment = due(load, load->run.next, now);
        if (moment > now) return true;
        connection *connection = load->idle[load->idle_first];
        load->idle_first = (load->idle_first + 1) % load->connection_count;
        load->idle_count--;
        connection->request = load->run.next++;
        connection->due = moment;
        size_t begin = connection->request == 0 ? 0 : load->run.ends[connection->request - 1];
        size_t length = load->run.ends[connection->request] - begin;
        if (!connection_send(connection, load->run.bytes + begin, length)) {
            return fail(load, "cannot send", strerror(errno));
        }
    }
    return true;
}

// Waits until an answer arrives or a request is due. epoll_wait counts in milliseconds, which is too coarse for due times.
static bool wait_for_something(load *load) {
    struct timespec patience = {.tv_sec = 60};
    bool is_waiting_for_due = load->run.next < load->run.count && load->idle_count > 0;
    if (is_waiting_for_due) {
        uint64_t now = monotonic_nanoseconds(), moment = due(load, load->run.next, now);
        uint64_t left = moment > now ? moment - now : 0;
        patience = (struct timespec){.tv_sec = (time_t)(left / 1000000000), .tv_nsec = (long)(left % 1000000000)};
    }
    struct pollfd waiting = {.fd = load->epoll, .events = POLLIN};
    if (ppoll(&waiting, 1, &patience, NULL) != 0 || is_waiting_for_due) return true;
    return fail(load, "no answer", "nothing came for a minute");
}

static bool take_answer(load *load, connection *connection) {
    switch (connection_receive(connection, false)) {
    case ANSWER_PARTIAL: return true;
    case ANSWER_BROKEN: return fail(load, "no whole answer", strerror(errno));
    case ANSWER_WHOLE: break;
    }
    load->run.latencies[connection->request] = monotonic_nanoseconds() - connection->due;
    if (connection_status(connection) != 200 || strstr(connection->answer, load->run.expected) == NULL) {
        return fail(load, "an answer that is not as it should be", connection->answer);
    }
    load->idle[(load->idle_first + load->idle_count++) % load->connection_count] = connection;
    load->run.ended++;
    return true;
}

static bool take_answers(load *load) {
    struct epoll_event events[64];
    int count = epoll_wait(load->epoll, events, 64, 0);
    for (int place = 0; place < count; place++) {
        if (!take_answer(load, events[place].data.ptr)) return false;
    }
    return true;
}

double load_run(
    load *load, const uint8_t *bytes, const size_t *ends, size_t count, double rate, const char *expected,
    uint64_t *latencies) {
    load->run = (run){
        .bytes = bytes, .ends = ends, .count = count, .rate = rate, .expected = expected, .latencies = latencies,
        .start = monotonic_nanoseconds()};
    if (load->trouble[0] != 0) return -1;
    while (load->run.ended < count) {
        if (!send_what_is_due(load) || !wait_for_something(load) || !take_answers(load)) return -1;
    }
    return (double)(monotonic_nanoseconds() - load->run.start) / 1e9;
}
