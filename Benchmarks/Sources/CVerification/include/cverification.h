// References for measuring payrelay's verification, and counters of its memory.
#ifndef CVERIFICATION_H
#define CVERIFICATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// OpenSSL's whole job: reads the message, and CMS_verify with the chain to this root. Root and store are prepared once.
typedef struct reference reference;
reference *reference_prepare(const char *root_pem, int64_t signing_time);
bool reference_verify(
    const reference *reference, const uint8_t *message, size_t message_length, const uint8_t *content,
    size_t content_length);

// The work that every token needs anew: one SHA-256 of the content, and one P-256 verification with a key
// that is ready. The signature is over the word "payrelay".
typedef struct floor_cost floor_cost;
floor_cost *floor_prepare(void);
bool floor_verify(const floor_cost *floor, const uint8_t *content, size_t content_length);

// The parts of the floor.
bool floor_verify_signature(const floor_cost *floor);
// Verifies the signature with a new context, as each CMS_verify does.
bool floor_verify_signature_anew(const floor_cost *floor);
bool floor_digest(const floor_cost *floor, const uint8_t *content, size_t content_length);
// The floor's public key as an uncompressed point and its signature in DER, for other libraries to verify.
size_t floor_point(const floor_cost *floor, uint8_t *point, size_t limit);
size_t floor_signature(const floor_cost *floor, uint8_t *signature, size_t limit);

// Returns the time for which this thread has run on a core, in nanoseconds.
uint64_t thread_nanoseconds(void);

// Keeps the process on the core that it runs on.
void stay_on_one_core(void);

// Allocations of the whole process between start and stop.
typedef struct {
    uint64_t allocations;
    uint64_t bytes;
    // The most that was live at once beyond what was live at the start.
    int64_t peak_bytes;
} memory_count;
void memory_count_start(void);
memory_count memory_count_stop(void);

// Returns the most memory that the process has had, in KiB.
long peak_resident_kibibytes(void);

#endif
