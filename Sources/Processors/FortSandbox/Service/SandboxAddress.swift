public import FortAPI

/// Where a sandbox of this process listens: always on loopback.
///
/// Only ``FortSandboxService`` makes one, once it listens. So what takes a `SandboxAddress` cannot be given another FORT.
public struct SandboxAddress: Sendable, Equatable {
    static let host = "127.0.0.1"

    public let port: Int
    /// Of its payment API.
    public let fortEndpoint: FortEndpoint

    init(port: Int) {
        self.port = port
        do {
            fortEndpoint = try FortEndpoint("http://\(Self.host):\(port)/FortAPI/paymentApi")
        } catch {
            // Plain http is allowed on loopback, and a port is a number.
            preconditionFailure("the sandbox's own address is no endpoint: \(error)")
        }
    }
}
