import COpenSSL
import PayrelayPrimitives

public import struct FoundationEssentials.Date

/// The fields of an X.509 certificate in a message.
public final class Certificate: Sendable {
    /// The certificate in DER.
    public let der: [UInt8]
    /// The subject's common name, escaped as in RFC 2253; `nil` if the subject has none.
    public let commonName: String?
    /// The subject's distinguished name, in the form of RFC 2253.
    public let subject: String
    /// The serial number in upper-case hex.
    public let serialNumber: String
    public let notBefore: Date
    public let notAfter: Date
    /// The object identifiers of the certificate's extensions, in dotted form.
    public let extensions: [String]
    /// The algorithm of the certificate's key, in dotted form.
    let keyAlgorithm: String
    /// Whether basicConstraints say that the certificate belongs to a CA; `false` if the extension is absent (RFC
    /// 5280, 4.2.1.9).
    let isCA: Bool
    /// The key usage; `nil` if the extension is absent.
    let keyUsage: KeyUsage?
    /// The issuer's distinguished name in DER, for exact comparison. ``serialNumberDER`` is the serial number in
    /// DER.
    let issuerName: [UInt8]
    let serialNumberDER: [UInt8]

    /// Reads the fields of a certificate.
    init(_ certificate: OpaquePointer?) throws(CheckFailure) {
        der = try encode { i2d_X509(certificate, $0) }
        subject = try Self.printed { shim_X509_NAME_print_RFC2253($0, X509_get_subject_name(certificate)) }
        commonName = Self.commonName(in: X509_get_subject_name(certificate))
        issuerName = try encode { i2d_X509_NAME(X509_get_issuer_name(certificate), $0) }
        serialNumber = try Self.hex(X509_get0_serialNumber(certificate))
        serialNumberDER = try encode { i2d_ASN1_INTEGER(X509_get0_serialNumber(certificate), $0) }
        notBefore = try Self.date(X509_get0_notBefore(certificate))
        notAfter = try Self.date(X509_get0_notAfter(certificate))
        var extensions: [String] = []
        for place in 0..<X509_get_ext_count(certificate) {
            extensions.append(try dotted(X509_EXTENSION_get_object(X509_get_ext(certificate, place))))
        }
        self.extensions = extensions
        keyAlgorithm = try Self.keyAlgorithm(of: certificate)
        isCA = X509_get_extension_flags(certificate) & UInt32(EXFLAG_CA) != 0
        keyUsage = Self.keyUsage(of: certificate)
    }
}

extension Certificate: Hashable {
    /// Two certificates are equal if their bytes are equal: all other fields follow from them.
    public static func == (one: Certificate, other: Certificate) -> Bool { one === other || one.der == other.der }

    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// The purposes of a certificate's key (RFC 5280, 4.2.1.3) that the checks require.
struct KeyUsage: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    static let keyCertSign = KeyUsage(rawValue: 1 << 1)
}

extension Certificate {
    /// The kind of the certificate's key: a name for the kinds that Apple uses, otherwise the object identifier
    /// in dotted form.
    public var keyKind: String {
        switch keyAlgorithm {
        case CertificateIdentifiers.ecPublicKey: "elliptic curve"
        case CertificateIdentifiers.rsaEncryption: "RSA"
        default: keyAlgorithm
        }
    }

    /// The role that Apple's marker extension states, `leaf` or `intermediate`; `nil` if the certificate has no
    /// marker.
    public var marker: String? {
        if extensions.contains(CertificateIdentifiers.leafMarker) { return "leaf" }
        if extensions.contains(CertificateIdentifiers.intermediateMarker) { return "intermediate" }
        return nil
    }
}

extension Certificate {
    /// Reads a certificate in DER.
    convenience init(der: ArraySlice<UInt8>) throws(CheckFailure) {
        let certificate = try OpenSSLHandle.certificate(der: der)
        try self.init(certificate.pointer)
    }

    /// Returns the common name in a distinguished name; `nil` if it has none.
    static func commonName(in name: OpaquePointer?) -> String? {
        let place = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard place >= 0, let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, place)) else { return nil }
        return try? printed { shim_ASN1_STRING_print_RFC2253($0, value) }
    }

    /// The maximum length of a printed name in bytes. Longer names are cut, because whoever made the certificate
    /// chose them.
    private static let nameLimit = 200

    private static func printed(_ write: (OpaquePointer) -> CInt) throws(CheckFailure) -> String {
        let sink = try OpenSSLHandle.memory()
        guard write(sink.pointer) >= 0 else {
            throw CheckFailure(OpenSSLErrors.explain("a name in a certificate cannot be read"))
        }
        var text = [UInt8](repeating: 0, count: nameLimit)
        let count = BIO_read(sink.pointer, &text, CInt(text.count))
        return String(decoding: text.prefix(max(0, Int(count))), as: UTF8.self)
    }

    private static func keyAlgorithm(of certificate: OpaquePointer?) throws(CheckFailure) -> String {
        var identifier: OpaquePointer?
        X509_PUBKEY_get0_param(&identifier, nil, nil, nil, X509_get_X509_PUBKEY(certificate))
        return try dotted(identifier)
    }

    private static func keyUsage(of certificate: OpaquePointer?) -> KeyUsage? {
        guard X509_get_extension_flags(certificate) & UInt32(EXFLAG_KUSAGE) != 0 else { return nil }
        let bits = X509_get_key_usage(certificate)
        var usage: KeyUsage = []
        if bits & UInt32(KU_DIGITAL_SIGNATURE) != 0 { usage.insert(.digitalSignature) }
        if bits & UInt32(KU_KEY_CERT_SIGN) != 0 { usage.insert(.keyCertSign) }
        return usage
    }

    private static func hex(_ number: UnsafePointer<ASN1_INTEGER>?) throws(CheckFailure) -> String {
        // RFC 5280, 4.1.2.2.
        guard let number, (1...20).contains(number.pointee.length), let data = number.pointee.data else {
            throw CheckFailure("a certificate's serial number is not of 1 to 20 bytes")
        }
        let bytes = Array(UnsafeBufferPointer(start: data, count: Int(number.pointee.length)))
        return HexText(encoding: bytes).text.uppercasedASCII
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) throws(CheckFailure) -> Date {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1,
            let date = ASN1Time.date(
                year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
                hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
        else { throw CheckFailure("a certificate's dates cannot be read") }
        return date
    }
}

/// The object identifiers that Apple's certificates use, in dotted form.
enum CertificateIdentifiers {
    /// RFC 5480, 2.1.1.
    static let ecPublicKey = "1.2.840.10045.2.1"
    /// RFC 3279, 2.3.1.
    static let rsaEncryption = "1.2.840.113549.1.1.1"
    /// Apple's markers, step 1.a.
    static let leafMarker = "1.2.840.113635.100.6.29"
    static let intermediateMarker = "1.2.840.113635.100.6.2.14"
}
