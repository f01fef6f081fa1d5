import OutboundHTTP

/// Posts bodies over kept-alive connections, one request after another on each.
///
/// - Parameter expected: stands in every good answer.
/// - Returns: how long it took.
/// - Throws: where an answer is not what it should be; such a run measures nothing.
func post(
    _ bodies: [[UInt8]], to url: String, connections: Int, expecting expected: String
) async throws -> Duration {
    let client = OutboundClient()
    defer { client.shutdown() }
    let clock = ContinuousClock()
    let start = clock.now
    try await withThrowingTaskGroup { group in
        for connection in 0..<connections {
            group.addTask {
                for index in stride(from: connection, to: bodies.count, by: connections) {
                    let answer = try await client.send(
                        OutboundRequest(
                            url: url, headers: [(name: "Content-Type", value: "application/json")],
                            body: bodies[index], timeout: .seconds(60)))
                    let text = String(decoding: answer.body, as: UTF8.self)
                    guard text.contains(expected) else { throw Unexpected(answer: text) }
                }
            }
        }
        try await group.waitForAll()
    }
    return clock.now - start
}

struct Unexpected: Error {
    let answer: String
}
