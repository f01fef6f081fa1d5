import COpenSSL
import Crypto
import PayrelayPrimitives
import struct FoundationEssentials.Date

/// A message of Apple's layout whose token passed every check through OpenSSL: a template for others.
///
/// Two of Apple's messages that were signed with one key differ in the values of signing time, message digest and signature, and in
/// the lengths that grow with the signature. A message that differs from this one in nothing else is read by OpenSSL as this one was,
/// so that every check which does not depend on these values has the result that it had.
final class KnownMessage: Sendable {
    /// As the token's verification has them.
    let checks: [Check]
    let path: SignerPath
    let certificates: [Certificate]
    /// The version of the token: algorithms and keys are those that go with it.
    private let version: PaymentToken.Version
    private let bytes: [UInt8]
    private let layout: AppleMessageLayout
    /// What must stand in another message as it stands in this one: all before the signature but the values, in order.
    private let fixed: [Range<Int>]
    private let key: PreparedKey

    /// From a token that is valid as a whole, and the message in its signature.
    ///
    /// - Throws: ``CheckFailure`` where the message is not of Apple's layout.
    init(of token: PaymentToken, _ verification: TokenVerification, _ message: OpenSSLMessage) throws(CheckFailure) {
        guard verification.isValid, let path = verification.path,
            verification.certificates == [path.leaf, path.intermediate]
        else { throw CheckFailure("the certificates are not signer and issuer") }
        checks = verification.checks
        self.path = path
        certificates = verification.certificates
        version = token.version
        bytes = token.signature.bytes
        layout = try AppleMessageLayout(ber: bytes)
        let values = [layout.signingTime, layout.messageDigest] + layout.lengths.map(\.place)
        var (fixed, position) = ([Range<Int>](), 0)
        for value in values.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            fixed.append(position..<value.lowerBound)
            position = value.upperBound
        }
        self.fixed = fixed
        key = try message.preparedKey(of: path.leaf)
    }

    /// The signature in a token's message that differs from this one in the values only; nil where it differs in anything else.
    ///
    /// The values' tags and lengths are part of what must be the same, but for the length of the signature.
    func signature(in token: PaymentToken) -> Range<Int>? {
        let growth = token.signature.bytes.count - bytes.count
        guard token.version == version, growth >= -layout.signature.count else { return nil }
        let signature = layout.signature.lowerBound..<(layout.signature.upperBound + growth)
        let isSame = bytes.withUnsafeBytes { known in
            token.signature.bytes.withUnsafeBytes { other in
                layout.lengths.allSatisfy { $0.stands(in: other, greaterBy: growth) }
                    && fixed.allSatisfy { known[$0].isSame(as: other[$0]) }
                    && known[layout.signature.upperBound...].isSame(as: other[signature.upperBound...])
            }
        }
        return isSame ? signature : nil
    }

    /// The signing time in a message that differs from this one in the values only; nil where it is no time.
    func signingTime(in bytes: [UInt8]) -> Date? {
        ASN1Time.date(bytes[layout.signingTime])
    }

    /// The message digest in a message that differs from this one in the values only.
    func messageDigest(in bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes[layout.messageDigest]
    }

    /// Whether the signer's key signed the attributes of a message that differs from this one in the values only.
    func verifies(_ signature: Range<Int>, in bytes: [UInt8]) -> Bool {
        // RFC 5652, 5.4: signed is the encoding with the tag of an explicit SET OF in place of [0].
        var digest = SHA256()
        withUnsafeBytes(of: 0x31 as UInt8) { digest.update(bufferPointer: $0) }
        bytes.withUnsafeBytes {
            digest.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[layout.signedAttributes.dropFirst()]))
        }
        return key.verifies(bytes[signature], over: digest.finalize())
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate func isSame(as other: Self) -> Bool {
        guard count == other.count else { return false }
        let (own, others) = (UnsafeRawBufferPointer(rebasing: self), UnsafeRawBufferPointer(rebasing: other))
        guard let first = own.baseAddress, let second = others.baseAddress else { return true }
        return memcmp(first, second, count) == 0
    }
}
