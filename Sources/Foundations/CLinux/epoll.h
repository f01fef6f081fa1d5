// Linux's epoll and eventfd, which Swift's Glibc module leaves out.
#ifndef PAYRELAY_EPOLL_H
#define PAYRELAY_EPOLL_H

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#endif
