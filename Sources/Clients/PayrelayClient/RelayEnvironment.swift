public import Foundation
import PayrelayPrimitives

/// Where the relay is: `RelayEnvironment.production(URL(string: "https://pay.example.com")!)`, or `.development` for `payrelay dev` on
/// this machine.
public struct RelayEnvironment: Sendable, Hashable {
    /// What stands before `/v1/payments`, without a slash at the end.
    let base: Result<String, InvalidURL>

    struct InvalidURL: Error, Hashable {
        let reason: String
    }

    /// A relay at an `https` URL. It may have a path, where a proxy forwards it.
    public static func production(_ url: URL) -> RelayEnvironment { RelayEnvironment("\(url)", loopback: false) }

    /// `payrelay dev` at a URL: `https`, or plain `http` to a loopback address.
    public static func development(_ url: URL) -> RelayEnvironment { RelayEnvironment("\(url)", loopback: true) }

    /// `payrelay dev` on this machine, at its default port.
    public static let development = RelayEnvironment("http://127.0.0.1:8080", loopback: true)

    private init(_ url: String, loopback: Bool) {
        do throws(SecureURLError) {
            try SecureURL.check(url)
            guard loopback || url.lowercasedASCII.begins(with: "https:") else { throw .notEncrypted }
            base = .success(String(url.dropping(last: "/")))
        } catch {
            base = .failure(InvalidURL(reason: "the relay's URL \(error)"))
        }
    }
}
