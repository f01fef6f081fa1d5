import Foundation
import TestPrograms

/// A self-signed certificate with its key, made by the openssl command in a folder that goes with it.
final class Certificate {
    private let folder: TemporaryFolder
    var certificateFile: String { folder.path("certificate.pem") }
    var keyFile: String { folder.path("key.pem") }

    /// - Parameter subjectAltName: as openssl spells it: `IP:127.0.0.1` or `DNS:example.com`.
    init(subjectAltName: String = "IP:127.0.0.1") throws {
        folder = try TemporaryFolder()
        try shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test \
            -addext subjectAltName=\(subjectAltName) -keyout '\(keyFile)' -out '\(certificateFile)'
            """)
    }

    /// The pin of the public key as libcurl takes it, computed by openssl.
    func pin() throws -> String {
        try "sha256//"
            + shell(
                """
                openssl x509 -in '\(certificateFile)' -pubkey -noout | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | openssl base64
                """)
    }
}
