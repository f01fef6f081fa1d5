public import OutboundHTTP
public import PayrelayPrimitives

/// Sends a body to Portmone: libcurl in the service, a script in tests.
public protocol PortmoneTransport: Sendable {
    /// POSTs a body of JSON, once. Never repeats it by itself.
    func post(_ body: [UInt8], to url: String, timeout: Duration) async -> Outcome<(status: Int, body: [UInt8])>
}

extension OutboundClient: PortmoneTransport {
    public func post(
        _ body: [UInt8], to url: String, timeout: Duration
    ) async -> Outcome<(status: Int, body: [UInt8])> {
        await send(
            OutboundRequest(
                method: .post, url: url,
                headers: [
                    (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
                ], body: body, timeout: timeout)
        ).map { ($0.status, $0.body) }
    }
}
