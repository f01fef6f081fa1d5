// A load generator that costs little beside what it loads: one thread, epoll, requests that are ready as bytes.
#ifndef CLOAD_H
#define CLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Connections that are kept alive, dealt out in turn to these ports on loopback.
typedef struct load load;
// Where not all could be opened, `load_trouble` says why.
load *load_open(const uint16_t *ports, size_t port_count, size_t connections);
void load_close(load *load);

// Sends every request and waits for its answer.
//
// The requests are whole, one after another; `ends` says where each ends, counted from the first byte of all. `rate` is in
// requests a second, whatever became of the ones before; 0 sends the next when an answer has come. `expected` stands in
// every good answer, whose status is 200. Latencies are in nanoseconds, by the requests' numbers: from when a request should
// have left to the end of its answer.
//
// Returns how long all took, in seconds; a negative number where a request failed, and `load_trouble` says why.
double load_run(
    load *load, const uint8_t *bytes, const size_t *ends, size_t count, double rate, const char *expected,
    uint64_t *latencies);

// What went wrong; empty where nothing did.
const char *load_trouble(const load *load);

// The status of the answer to a GET; 0 where there is none.
int load_status(uint16_t port, const char *path);

// A port on loopback that nobody listened at a moment ago; 0 where there is none.
uint16_t load_free_port(void);

// The processor time that this process has used on all cores, in nanoseconds.
uint64_t process_nanoseconds(void);

#endif
