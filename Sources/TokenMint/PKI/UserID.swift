import SwiftASN1
import X509

/// The user ID in a distinguished name (RFC 4519, 2.39). Apple writes the merchant identifier there.
struct UserID: RelativeDistinguishedNameConvertible {
    fileprivate static let type: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]

    private let text: String

    init(_ text: String) {
        self.text = text
    }

    func makeRDN() throws -> RelativeDistinguishedName {
        RelativeDistinguishedName(.init(type: Self.type, utf8String: text))
    }
}

/// The merchant identifier in a merchant identity certificate.
///
/// - Parameter certificate: in DER.
/// - Returns: nil where there is none.
package func merchantIdentifier(inCertificate certificate: [UInt8]) -> String? {
    guard let subject = try? X509.Certificate(derEncoded: certificate).subject else { return nil }
    return subject.joined().first { $0.type == UserID.type }.flatMap { String($0.value) }
}
