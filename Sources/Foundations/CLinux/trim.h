// glibc's malloc_trim, which Swift's Glibc module leaves out. Without glibc the function does nothing.
#ifndef PAYRELAY_TRIM_H
#define PAYRELAY_TRIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Returns free memory to the system.
static inline void payrelay_malloc_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#endif
