public import PayrelayPrimitives

/// Sends a body to a payment gateway: libcurl in the service, a script in tests.
public protocol GatewayTransport: Sendable {
    /// POSTs a body of JSON, once. Never repeats it by itself.
    func post(
        _ body: [UInt8], to endpoint: GatewayEndpoint, timeout: Duration
    ) async -> Outcome<(status: Int, body: [UInt8])>
}

extension OutboundClient: GatewayTransport {
    public func post(
        _ body: [UInt8], to endpoint: GatewayEndpoint, timeout: Duration
    ) async -> Outcome<(status: Int, body: [UInt8])> {
        await send(
            OutboundRequest(method: .post, url: endpoint.url, headers: Self.jsonHeaders, body: body, timeout: timeout)
        ).map { ($0.status, $0.body) }
    }

    private static let jsonHeaders = [
        (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
    ]
}
