import FortSandbox
import Foundation
import Logging
import TokenMint

/// Apple's session host with certificates of its own, and the merchant that it knows.
struct SandboxSessionHost {
    private let folder: String
    private let pki: SessionPKI
    private let merchantIdentifier = SandboxPKI.published.merchantIdentifier

    /// Mints the certificates and writes those that a relay needs.
    init(folder: String) throws {
        self.folder = URL(filePath: folder).path
        pki = try SessionPKI(merchantIdentifier: merchantIdentifier)
        do {
            try pki.write(to: folder)
        } catch {
            throw failure("\(folder) cannot be written to: \(error.localizedDescription)", status: .data)
        }
    }

    func service(at port: Port, logger: Logger) -> AppleSessionHostService {
        AppleSessionHostService(pki, port: port.number, logger: logger) { port in
            say(
                """
                Apple's session host listens. To let a relay use it:

                export PAYRELAY_APPLE_PAY_MERCHANT_IDENTIFIER=\(merchantIdentifier)
                export PAYRELAY_APPLE_PAY_DISPLAY_NAME=Sandbox
                export PAYRELAY_APPLE_PAY_DOMAINS=shop.example
                export PAYRELAY_APPLE_PAY_IDENTITY_CERTIFICATE_FILE=\(folder)/merchant.pem
                export PAYRELAY_APPLE_PAY_IDENTITY_KEY_FILE=\(folder)/merchant.key
                export PAYRELAY_APPLE_PAY_SESSION_HOST=127.0.0.1:\(port)
                export PAYRELAY_APPLE_PAY_SESSION_CA_FILE=\(folder)/ca.pem
                """)
        }
    }
}
