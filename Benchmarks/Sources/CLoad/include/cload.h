// A load generator that uses little of the machine: one thread, epoll, requests that are ready as bytes.
#ifndef CLOAD_H
#define CLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Connections that are kept alive, distributed in turn over these ports on loopback.
typedef struct load load;
// If a connection could not be opened, `load_trouble` has the reason.
load *load_open(const uint16_t *ports, size_t port_count, size_t connections);
void load_close(load *load);

// Sends every request and waits for its answer.
//
// The requests are whole, one after another. `ends` has the end of each, counted from the first byte of all. `rate` is in
// requests a second, independent of earlier answers; 0 sends the next request when an answer has come. `expected` is in
// every good answer, whose status is 200. Latencies are in nanoseconds, by the requests' numbers: from a request's due time
// to the end of its answer.
//
// Returns the time for all requests, in seconds. If a request failed, returns a negative number, and `load_trouble` has the
// reason.
double load_run(
    load *load, const uint8_t *bytes, const size_t *ends, size_t count, double rate, const char *expected,
    uint64_t *latencies);

// The reason for a failure; empty without a failure.
const char *load_trouble(const load *load);

// Returns the status of the answer to a GET, or 0 without an answer.
int load_status(uint16_t port, const char *path);

// Returns a port on loopback that was free a moment ago, or 0 if there is none.
uint16_t load_free_port(void);

// The processor time that this process has used on all cores, in nanoseconds.
uint64_t process_nanoseconds(void);

#endif
