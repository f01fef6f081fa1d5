/// Why no token can be minted, or a minted one not be opened.
public enum TokenMintError: Error, Equatable, Sendable {
    /// No numeric code is known for this currency.
    case unknownCurrency(String)
    case negativeAmount
    /// `applicationData` must be the 32 bytes of a SHA-256.
    case applicationDataIsNoSHA256
    /// The token was encrypted for another merchant's certificate: its `publicKeyHash` is not that of the sandbox.
    case anotherMerchantsToken
    /// The token has no `ephemeralPublicKey`: it is RSA_v1, which the sandbox does not open.
    case notEllipticCurve
    /// What was decrypted is not payment data in Apple's format.
    case malformedPaymentData
}

extension TokenMintError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownCurrency(let code): "no ISO 4217 numeric code is known for the currency \(code)"
        case .negativeAmount: "the amount is negative"
        case .applicationDataIsNoSHA256: "applicationData must be the 32 bytes of a SHA-256"
        case .anotherMerchantsToken: "publicKeyHash is not that of the sandbox merchant's certificate"
        case .notEllipticCurve: "the token has no ephemeralPublicKey; RSA_v1 cannot be opened"
        case .malformedPaymentData: "the decrypted payment data is not in Apple's format"
        }
    }
}
