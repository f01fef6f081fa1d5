public import Foundation
import PayrelayPrimitives

/// The address of a relay: a production relay, or `payrelay-dev` on this machine.
///
/// ```swift
/// let environment = RelayEnvironment.production(URL(string: "https://pay.example.com")!)
/// let local = RelayEnvironment.development  // http://127.0.0.1:8080
/// ```
public struct RelayEnvironment: Sendable, Hashable {
    /// The relay's URL before `/v1/payments`, without a slash at the end; an error if the URL cannot be used.
    let base: Result<String, InvalidURL>

    struct InvalidURL: Error, Hashable {
        let reason: String
    }

    /// Returns the environment of a relay at an `https` URL. The URL may have a path, if a proxy forwards it.
    public static func production(_ url: URL) -> RelayEnvironment { RelayEnvironment("\(url)", loopback: false) }

    /// Returns the environment of `payrelay-dev` at a URL: `https`, or plain `http` to a loopback address.
    public static func development(_ url: URL) -> RelayEnvironment { RelayEnvironment("\(url)", loopback: true) }

    /// The environment of `payrelay-dev` on this machine, at its default port.
    public static let development = RelayEnvironment("http://127.0.0.1:8080", loopback: true)

    private init(_ url: String, loopback: Bool) {
        do throws(SecureURLError) {
            try SecureURL.check(url)
            base =
                loopback || url.lowercasedASCII.begins(with: "https:")
                ? .success(String(url.dropping(last: "/")))
                : .failure(
                    InvalidURL(
                        reason: "the relay's URL must be https; .development(url) takes plain http on this machine"))
        } catch {
            base = .failure(InvalidURL(reason: "the relay's URL \(error)"))
        }
    }
}
