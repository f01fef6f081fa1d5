public import PayrelayPrimitives

/// A JWT in compact serialization, parsed (RFC 7515, 3.1; RFC 7519). Nothing in it is verified yet.
public struct JSONWebToken: Sendable {
    /// The header's `alg`. It is compared with the key's algorithm, and never selects an algorithm.
    public let algorithm: String
    public let keyIdentifier: String?
    let payload: [UInt8]
    /// The encoded header and payload as they were received. The signature covers these bytes.
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// The claims, unverified; `nil` if the payload is not a JSON object.
    public var claims: JSONObject? { (try? JSON(parsing: payload))?.objectValue }

    /// The size limit in bytes. An order token has about 400.
    static let sizeLimit = 8_192

    /// - Throws: ``JWTError/tooLong`` or ``JWTError/malformed(_:)``.
    public init(_ text: String) throws(JWTError) {
        guard text.utf8.count <= Self.sizeLimit else { throw .tooLong }
        let parts = text.parts(at: ".")
        guard parts.count == 3 else { throw .malformed("it has \(parts.count) parts, not three") }
        guard let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed("a part of it is not base64url") }
        guard let members = (try? JSON(parsing: header))?.objectValue else {
            throw .malformed("its header is not a JSON object")
        }
        guard let algorithm = members["alg"]?.stringValue else { throw .malformed("its header has no alg") }
        // An extension that is not understood must be rejected (RFC 7515, 4.1.11), and payrelay understands none.
        guard members["crit"] == nil else { throw .malformed("its header has crit") }
        switch members["kid"] {
        case nil: keyIdentifier = nil
        case .string(let text): keyIdentifier = text
        default: throw .malformed("its kid is not a string")
        }
        self.algorithm = algorithm
        self.payload = payload
        self.signature = signature
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
    }
}
