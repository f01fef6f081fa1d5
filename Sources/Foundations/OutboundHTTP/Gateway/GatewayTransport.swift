public import PayrelayPrimitives

/// Sends requests to a payment gateway. It is libcurl in the service and a script in tests.
public protocol GatewayTransport: Sendable {
    /// Sends a request once, and never repeats it by itself.
    func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer>
}

extension OutboundClient: GatewayTransport {}

extension OutboundRequest {
    /// Creates a GET request that queries a gateway.
    ///
    /// - Parameter path: the path and query that are appended to the gateway's address.
    public static func get(
        _ endpoint: GatewayEndpoint, path: String = "", headers: [(name: String, value: String)] = [], timeout: Duration
    ) -> OutboundRequest {
        OutboundRequest(
            method: .get, url: endpoint.url + path, headers: headers + [(name: "Accept", value: "application/json")],
            timeout: timeout)
    }

    /// Creates a POST request with JSON.
    public static func json(
        _ body: [UInt8], to endpoint: GatewayEndpoint, path: String = "",
        headers: [(name: String, value: String)] = [], timeout: Duration
    ) -> OutboundRequest {
        post(body, as: "application/json", to: endpoint.url + path, headers, timeout)
    }

    /// Creates a POST request with a form.
    ///
    /// - Parameter fields: the fields, in their order. Values that are not scalars are left out.
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
