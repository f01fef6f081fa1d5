#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ANSWER_LIMIT = 16384 };

// One kept-alive connection of HTTP/1.1 and the answer that is coming in on it.
typedef struct {
    int descriptor;
    size_t request;
    uint64_t due;
    size_t received;
    // The whole answer's length; 0 until its head is there.
    size_t expected;
    char answer[ANSWER_LIMIT + 1];
} connection;

typedef enum { ANSWER_PARTIAL, ANSWER_WHOLE, ANSWER_BROKEN } answer_state;

bool connection_open(connection *connection, uint16_t port);
// Sends all bytes, on the caller's thread.
bool connection_send(connection *connection, const uint8_t *bytes, size_t length);
// Reads the bytes that have arrived, or, if it may wait, the next ones.
answer_state connection_receive(connection *connection, bool may_wait);
int connection_status(const connection *connection);

#endif
