public import OutboundHTTP

extension OutboundClient: FortTransport {
    public func post(
        _ body: [UInt8], to endpoint: FortEndpoint, timeout: Duration
    ) async throws(OutboundFailure) -> (status: Int, body: [UInt8]) {
        let headers = [(name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json")]
        let answer = try await send(
            OutboundRequest(method: .post, url: endpoint.url, headers: headers, body: body, timeout: timeout))
        return (answer.status, answer.body)
    }
}
