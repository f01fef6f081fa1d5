// glibc's malloc_trim, which Swift's Glibc module leaves out; where there is no glibc, there is nothing to do.
#ifndef PAYRELAY_TRIM_H
#define PAYRELAY_TRIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Gives memory that is free back to the system.
static inline void payrelay_malloc_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#endif
