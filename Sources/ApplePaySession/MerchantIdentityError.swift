/// Why two files are not a merchant identity.
public enum MerchantIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(file: String)
    case noCertificate(file: String)
    case noKey(file: String)
    /// The key is another certificate's.
    case otherKey(keyFile: String, certificateFile: String)
    case noMerchantIdentifier(certificateFile: String)

    public var description: String {
        switch self {
        case .unreadable(let file): "\(file) cannot be read"
        case .noCertificate(let file): "\(file) holds no X.509 certificate in PEM"
        case .noKey(let file): "\(file) holds no private key in PEM, or an encrypted one"
        case .otherKey(let keyFile, let certificateFile):
            "the key in \(keyFile) is not that of the certificate in \(certificateFile)"
        case .noMerchantIdentifier(let file):
            "the certificate in \(file) has no user ID in its subject: it is no merchant identity certificate"
        }
    }
}
