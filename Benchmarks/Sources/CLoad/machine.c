#define _GNU_SOURCE
#include "cload.h"
#include "connection.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int load_status(uint16_t port, const char *path) {
    connection connection;
    if (!connection_open(&connection, port)) return 0;
    char request[256];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    answer_state state = ANSWER_BROKEN;
    if (connection_send(&connection, (const uint8_t *)request, (size_t)length)) {
        do { state = connection_receive(&connection, true); } while (state == ANSWER_PARTIAL);
    }
    close(connection.descriptor);
    return state == ANSWER_WHOLE ? connection_status(&connection) : 0;
}

uint16_t load_free_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_bound = bind(descriptor, (struct sockaddr *)&address, length) == 0
        && getsockname(descriptor, (struct sockaddr *)&address, &length) == 0;
    close(descriptor);
    return is_bound ? ntohs(address.sin_port) : 0;
}

uint64_t process_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}
