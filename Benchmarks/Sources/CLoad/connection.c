#define _GNU_SOURCE
#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

bool connection_open(connection *connection, uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 60};
    int one = 1;
    connection->received = connection->expected = 0;
    connection->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection->descriptor < 0) return false;
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(connection->descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(connection->descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(connection->descriptor, (struct sockaddr *)&address, sizeof address) == 0) return true;
    close(connection->descriptor);
    connection->descriptor = -1;
    return false;
}

bool connection_send(connection *connection, const uint8_t *bytes, size_t length) {
    connection->received = connection->expected = 0;
    while (length > 0) {
        ssize_t count = send(connection->descriptor, bytes, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

answer_state connection_receive(connection *connection, bool may_wait) {
    size_t room = ANSWER_LIMIT - connection->received;
    if (room == 0) return ANSWER_BROKEN;
    ssize_t count =
        recv(connection->descriptor, connection->answer + connection->received, room, may_wait ? 0 : MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || (!may_wait && errno == EAGAIN))) return ANSWER_PARTIAL;
    if (count <= 0) return ANSWER_BROKEN;
    connection->received += (size_t)count;
    connection->answer[connection->received] = 0;
    if (connection->expected == 0) {
        char *end = strstr(connection->answer, "\r\n\r\n");
        if (end == NULL) return ANSWER_PARTIAL;
        char *length = strcasestr(connection->answer, "\r\ncontent-length:");
        if (length == NULL || length > end) return ANSWER_BROKEN;
        connection->expected =
            (size_t)(end + 4 - connection->answer) + strtoul(length + strlen("\r\ncontent-length:"), NULL, 10);
    }
    if (connection->received < connection->expected) return ANSWER_PARTIAL;
    return connection->received == connection->expected ? ANSWER_WHOLE : ANSWER_BROKEN;
}

int connection_status(const connection *connection) {
    return strncmp(connection->answer, "HTTP/1.1 ", 9) == 0 ? atoi(connection->answer + 9) : 0;
}
