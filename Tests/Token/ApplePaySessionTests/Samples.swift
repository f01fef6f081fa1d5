import ApplePaySession
import Foundation
import TestPrograms
import TokenMint

extension TemporaryFolder {
    /// The paths of a merchant's certificate and key that were minted here.
    func identity(of merchantIdentifier: String = "merchant.a") throws -> (certificate: String, key: String) {
        let path = path(UUID().uuidString)
        try SessionPKI(merchantIdentifier: merchantIdentifier).write(to: path)
        return ("\(path)/merchant.pem", "\(path)/merchant.key")
    }
}
