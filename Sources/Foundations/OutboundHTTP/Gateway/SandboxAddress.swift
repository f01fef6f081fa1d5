/// The address of a gateway's sandbox in this process, which is always on loopback.
///
/// Only a sandbox creates a `SandboxAddress`. So code that takes one cannot be given a gateway that charges.
public struct SandboxAddress: Sendable, Equatable {
    package static let host = "127.0.0.1"

    public let port: Int
    /// The endpoint of the sandbox's payment API.
    public let endpoint: GatewayEndpoint

    /// - Parameter path: the path of the payment API, such as `/FortAPI/paymentApi`.
    package init(port: Int, path: String) {
        self.port = port
        endpoint = GatewayEndpoint(known: "http://\(Self.host):\(port)\(path)")
    }
}
