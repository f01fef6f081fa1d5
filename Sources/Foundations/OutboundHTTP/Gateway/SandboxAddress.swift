/// Where a gateway's sandbox of this process listens: always on loopback.
///
/// Only a sandbox makes one. So what takes a `SandboxAddress` cannot be given a gateway that charges.
public struct SandboxAddress: Sendable, Equatable {
    package static let host = "127.0.0.1"

    public let port: Int
    /// Of its payment API.
    public let endpoint: GatewayEndpoint

    /// - Parameter path: of the payment API: `/FortAPI/paymentApi`.
    package init(port: Int, path: String) {
        self.port = port
        endpoint = GatewayEndpoint(known: "http://\(Self.host):\(port)\(path)")
    }
}
