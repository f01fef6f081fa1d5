public import OutboundHTTP

/// How a body gets to FORT and its answer back: libcurl in the service, anything at all in a test.
public protocol FortTransport: Sendable {
    /// POSTs a body of JSON, once. Never repeats it by itself.
    func post(
        _ body: [UInt8], to endpoint: FortEndpoint, timeout: Duration
    ) async throws(OutboundFailure) -> (status: Int, body: [UInt8])
}
