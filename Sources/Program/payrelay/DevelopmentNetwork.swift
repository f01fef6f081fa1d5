import AccessControl
import ArgumentParser
import Composition
import FortAPI
import Foundation
import HTTPListener
import Logging
import PayrelayPrimitives
import RelayServer

/// How other devices reach a development relay: at one address, over TLS, and with an API key or an order token. There is no way to
/// have one of the three without the others.
struct DevelopmentNetwork {
    /// A name or an address of this machine, without brackets.
    let host: String
    let certificates: DevelopmentCertificates
    let key: APIKey
    /// Where the key was read from; nil for a new one.
    let keyFile: String?

    /// - Parameters:
    ///   - certificates: the folder of the authority and of the listener's certificate.
    ///   - keyFile: a file with an API key; nil for a new one.
    init(host text: String, certificates folder: String, keyFile: String?) throws {
        let host = text.between("[", "]").map(String.init) ?? text
        // No certificate names all addresses (0.0.0.0), so one of them has to be chosen.
        guard AllowedHosts.isHost(host), IPAddress(host)?.bytes.contains(where: { $0 != 0 }) ?? true else {
            throw UsageError("--host is a name or an address of this machine, as the phone will open it")
        }
        self.host = host.lowercasedASCII
        if let keyFile {
            let text = String(decoding: try readFile(keyFile), as: UTF8.self)
            guard let key = APIKey(String(text.trimmed)) else {
                throw failure("\(keyFile) holds no API key as `payrelay keys generate` prints it", status: .data)
            }
            self.key = key
        } else {
            key = APIKey()
        }
        self.keyFile = keyFile
        certificates = try DevelopmentCertificates(folder: folder, host: self.host)
    }

    /// The relay's address for a browser.
    func url(port: Int) -> String { "https://\(host.has(":") ? "[\(host)]" : host):\(port)" }

    /// - Parameter orderTokens: verifies the order tokens of the checkout page.
    func apply(to configuration: inout RelayConfiguration, orderTokens: JWTKey) throws {
        configuration.http.host = host
        configuration.hosts = [host]
        configuration.tls = certificates.tls
        let entry = try APIKeyEntry(client: "dev", scopes: Set(Scope.allCases), key: key)
        configuration.access = AccessPolicy(
            apiKeys: try APIKeys(parsing: entry.description),
            tokens: JWTPolicy(
                audience: "payrelay", orderFields: OrderTokenVerdict.pinning),
            tokenKeys: [orderTokens])
    }
}
