import ArgumentParser
import CommandLineParts
import Composition
import HTTPListener
import PayrelayPrimitives

/// The address at which other devices reach a development relay, over TLS. Clients must authenticate then
/// (``DevelopmentAccess``).
struct DevelopmentNetwork {
    /// A host name or an address of this machine, without brackets.
    let host: String
    let certificates: DevelopmentCertificates

    /// - Parameter certificates: the folder of the authority and of the listener's certificate.
    init(host text: String, certificates folder: String) throws {
        let host = text.between("[", "]").map(String.init) ?? text
        // A certificate cannot name all addresses (0.0.0.0), so one of them must be chosen.
        guard AllowedHosts.isHost(host), IPAddress(host)?.bytes.contains(where: { $0 != 0 }) ?? true else {
            throw UsageError("--host is a name or an address of this machine, as the phone will open it")
        }
        self.host = host.lowercasedASCII
        certificates = try DevelopmentCertificates(folder: folder, host: self.host)
    }

    /// Returns the relay's URL for a browser.
    func url(port: Int) -> String { "https://\(host.has(":") ? "[\(host)]" : host):\(port)" }

    func apply(to configuration: inout RelayConfiguration) {
        configuration.http.host = host
        configuration.hosts = [host]
        configuration.tls = certificates.tls
    }
}
