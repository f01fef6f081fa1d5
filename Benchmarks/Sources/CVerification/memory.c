// Wraps glibc's allocator and counts allocations, for Swift, OpenSSL and swift-crypto alike.
#define _GNU_SOURCE
#include "cverification.h"

#include <malloc.h>
#include <stdatomic.h>
#include <sys/resource.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static atomic_bool counting;
static _Atomic uint64_t allocations, bytes;
static _Atomic int64_t live, peak;

static void grow(void *block) {
    if (block == NULL || !atomic_load_explicit(&counting, memory_order_relaxed)) return;
    size_t size = malloc_usable_size(block);
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
    int64_t now = atomic_fetch_add_explicit(&live, (int64_t)size, memory_order_relaxed) + (int64_t)size;
    if (now > atomic_load_explicit(&peak, memory_order_relaxed)) {
        atomic_store_explicit(&peak, now, memory_order_relaxed);
    }
}

static void shrink(void *block) {
    if (block == NULL || !atomic_load_explicit(&counting, memory_order_relaxed)) return;
    atomic_fetch_sub_explicit(&live, (int64_t)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) {
    void *block = __libc_malloc(size);
    grow(block);
    return block;
}

void *calloc(size_t count, size_t size) {
    void *block = __libc_calloc(count, size);
    grow(block);
    return block;
}

void *realloc(void *block, size_t size) {
    shrink(block);
    void *moved = __libc_realloc(block, size);
    grow(moved);
    return moved;
}

void free(void *block) {
    shrink(block);
    __libc_free(block);
}

void memory_count_start(void) {
    allocations = 0;
    bytes = 0;
    live = 0;
    peak = 0;
    counting = true;
}

memory_count memory_count_stop(void) {
    counting = false;
    return (memory_count){.allocations = allocations, .bytes = bytes, .peak_bytes = peak};
}

long peak_resident_kibibytes(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : -1;
}
