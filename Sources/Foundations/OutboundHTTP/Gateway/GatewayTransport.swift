public import PayrelayPrimitives

/// Sends requests to a payment gateway: libcurl in the service, a script in tests.
public protocol GatewayTransport: Sendable {
    /// Sends a request of any method, with any header fields and body, once. Never repeats it by itself.
    func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer>
}

extension OutboundClient: GatewayTransport {}

extension OutboundRequest {
    /// A GET of a gateway's answer about something.
    ///
    /// - Parameter path: is appended to the gateway's address, with its query.
    public static func get(
        _ endpoint: GatewayEndpoint, path: String = "", headers: [(name: String, value: String)] = [], timeout: Duration
    ) -> OutboundRequest {
        OutboundRequest(
            method: .get, url: endpoint.url + path, headers: headers + [(name: "Accept", value: "application/json")],
            timeout: timeout)
    }

    /// A POST of JSON to a gateway.
    public static func json(
        _ body: [UInt8], to endpoint: GatewayEndpoint, path: String = "",
        headers: [(name: String, value: String)] = [], timeout: Duration
    ) -> OutboundRequest {
        post(body, as: "application/json", to: endpoint.url + path, headers, timeout)
    }

    /// A POST of a form to a gateway.
    ///
    /// - Parameter fields: in their order; those that are no text are left out.
    public static func form(
        _ fields: JSONObject, to endpoint: GatewayEndpoint, path: String = "",
        headers: [(name: String, value: String)] = [], timeout: Duration
    ) -> OutboundRequest {
        post(
            URLEncodedForm.encoded(fields), as: "application/x-www-form-urlencoded", to: endpoint.url + path, headers,
            timeout)
    }

    private static func post(
        _ body: [UInt8], as contentType: String, to url: String, _ headers: [(name: String, value: String)],
        _ timeout: Duration
    ) -> OutboundRequest {
        OutboundRequest(
            url: url,
            headers: headers + [
                (name: "Content-Type", value: contentType), (name: "Accept", value: "application/json"),
            ], body: body, timeout: timeout)
    }
}
