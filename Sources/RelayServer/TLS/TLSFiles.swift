/// Where the public listener's certificate and key are.
public struct TLSFiles: Sendable, Equatable {
    /// The path of a PEM file: the certificate, then the intermediates that lead to its root.
    public var certificateFile: String
    /// The path of a PEM file: the private key, not encrypted.
    public var keyFile: String

    public init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
