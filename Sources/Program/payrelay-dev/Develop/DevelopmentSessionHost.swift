import ApplePaySession
import CommandLineParts
import Foundation
import Logging
import SandboxParts
import TokenMint

/// A simulated session host of Apple for `payrelay-dev`, with the settings that a relay needs to use it. Its
/// certificates are new at each start and are in a separate folder.
struct DevelopmentSessionHost {
    private let folder: URL
    private let pki: SessionPKI

    init() throws {
        pki = try SessionPKI(merchantIdentifier: SandboxPKI.published.merchantIdentifier)
        folder = FileManager.default.temporaryDirectory.appending(path: "payrelay-dev-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try pki.write(to: folder.path)
    }

    func removeCertificates() { try? FileManager.default.removeItem(at: folder) }

    func service(
        logger: Logger, onListening: @escaping @Sendable (Int) async -> Void
    ) -> AppleSessionHostService {
        AppleSessionHostService(pki, port: 0, logger: logger, onListening: onListening)
    }

    /// Returns the settings with which a relay uses this session host.
    ///
    /// - Parameter port: the port on which the session host listens.
    func settings(port: Int) throws -> SessionSettings {
        let identities = try MerchantIdentities(
            certificateFile: path("merchant.pem"), keyFile: path("merchant.key"))
        guard let gateway = SessionGateway(loopback: "127.0.0.1:\(port)"),
            let displayName = SessionMerchant.DisplayName("payrelay-dev"), let domain = MerchantDomain("shop.example")
        else { throw failure("the session host's address is none: \(port)", status: .data) }
        return SessionSettings(
            merchant: SessionMerchant(
                identifier: identities.merchantIdentifier, displayName: displayName, domains: [domain]),
            identities: identities, gateway: gateway, caFile: path("ca.pem"))
    }

    private func path(_ file: String) -> String { folder.appending(path: file).path }
}
