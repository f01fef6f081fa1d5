import Foundation
import TestPrograms

/// A self-signed certificate with its key. The openssl command makes it in a temporary folder that is removed with this object.
final class Certificate {
    private let folder: TemporaryFolder
    var certificateFile: String { folder.path("certificate.pem") }
    var keyFile: String { folder.path("key.pem") }

    /// - Parameter subjectAltName: The name in openssl's notation: `IP:127.0.0.1` or `DNS:example.com`.
    init(subjectAltName: String = "IP:127.0.0.1") throws {
        folder = try TemporaryFolder()
        try shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test \
            -addext subjectAltName=\(subjectAltName) -keyout '\(keyFile)' -out '\(certificateFile)'
            """)
    }
}
