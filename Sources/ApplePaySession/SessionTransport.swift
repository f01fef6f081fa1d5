public import OutboundHTTP

/// How a body gets to Apple and its answer back: libcurl with the merchant's certificate in the service, anything in a test.
public protocol SessionTransport: Sendable {
    /// POSTs a body of JSON, once.
    func post(
        _ body: [UInt8], to endpoint: SessionEndpoint, timeout: Duration
    ) async throws(OutboundFailure) -> (status: Int, body: [UInt8])
}

extension OutboundClient: SessionTransport {
    public func post(
        _ body: [UInt8], to endpoint: SessionEndpoint, timeout: Duration
    ) async throws(OutboundFailure) -> (status: Int, body: [UInt8]) {
        // A session has some 5,000 bytes.
        let answer = try await send(
            OutboundRequest(
                url: endpoint.url, headers: [(name: "Content-Type", value: "application/json")], body: body,
                timeout: timeout, answerLimit: 65_536))
        return (answer.status, answer.body)
    }
}
