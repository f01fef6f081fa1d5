import ApplePaySession
import Foundation
import TestPrograms
import TokenMint

extension TemporaryFolder {
    /// Returns the paths of a minted certificate and key of a merchant.
    func identity(of merchantIdentifier: String = "merchant.a") throws -> (certificate: String, key: String) {
        let path = path(UUID().uuidString)
        try SessionPKI(merchantIdentifier: merchantIdentifier).write(to: path)
        return ("\(path)/merchant.pem", "\(path)/merchant.key")
    }
}
