import COpenSSL
import PayrelayPrimitives

/// An object of OpenSSL that is freed at the end of its scope. The handle cannot be copied, so a pointer taken
/// from it is valid until then.
struct OpenSSLHandle: ~Copyable {
    let pointer: OpaquePointer
    private let free: (OpaquePointer) -> Void

    /// - Parameter pointer: the pointer that OpenSSL returned, which the caller owns; `nil` if OpenSSL failed.
    /// - Throws: ``CheckFailure`` with `what` and OpenSSL's reason if the pointer is `nil`.
    init(_ pointer: OpaquePointer?, freedBy free: @escaping (OpaquePointer) -> Void, or what: String)
        throws(CheckFailure)
    {
        guard let pointer else { throw CheckFailure(OpenSSLErrors.explain(what)) }
        self.pointer = pointer
        self.free = free
    }

    deinit {
        free(pointer)
    }
}

extension OpenSSLHandle {
    /// Creates a BIO in memory with a copy of these bytes.
    static func memory(holding bytes: [UInt8] = []) throws(CheckFailure) -> OpenSSLHandle {
        let bio = try OpenSSLHandle(BIO_new(BIO_s_mem()), freedBy: { BIO_free($0) }, or: "OpenSSL has no memory")
        guard bytes.isEmpty || BIO_write(bio.pointer, bytes, CInt(bytes.count)) == bytes.count else {
            throw CheckFailure(OpenSSLErrors.explain("OpenSSL does not take \(bytes.count) bytes"))
        }
        return bio
    }
}

extension OpenSSLHandle {
    /// Parses the certificate in a message. It must be in DER from its first byte to its last.
    static func certificate(der: ArraySlice<UInt8>) throws(CheckFailure) -> OpenSSLHandle {
        let bytes = Array(der)
        try BERElement(in: bytes, at: 0, limit: bytes.count).requireDER(in: bytes)
        return try decode(bytes, as: "a certificate", freedBy: X509_free) { d2i_X509(nil, $0, $1) }
    }

    private static let fileLimit = 64 * 1024

    /// Parses the certificates in a file: one or more in PEM, or one in DER. Text between certificates in PEM is
    /// ignored.
    ///
    /// - Throws: ``CheckFailure`` if any certificate cannot be parsed, or if there is none.
    static func certificates<Value>(
        inFile content: [UInt8], _ read: (OpaquePointer) throws(CheckFailure) -> Value
    ) throws(CheckFailure) -> [Value] {
        OpenSSLErrors.clear()
        defer { OpenSSLErrors.clear() }
        guard content.count <= fileLimit else { throw CheckFailure("the file is longer than \(fileLimit) bytes") }
        let source = try OpenSSLHandle.memory(holding: content)
        let headers = pemHeaders(in: content)
        guard headers > 0 else {
            let certificate = try OpenSSLHandle(
                d2i_X509_bio(source.pointer, nil), freedBy: X509_free, or: "no certificate can be read")
            guard BIO_ctrl_pending(source.pointer) == 0 else { throw CheckFailure("something follows the certificate") }
            return [try read(certificate.pointer)]
        }
        var values: [Value] = []
        for _ in 0..<headers {
            let certificate = try OpenSSLHandle(
                PEM_read_bio_X509(source.pointer, nil, nil, nil), freedBy: X509_free,
                or: "certificate \(values.count + 1) of \(headers) cannot be read")
            values.append(try read(certificate.pointer))
        }
        return values
    }

    /// Returns the number of certificates in a text in PEM, by its headers.
    private static func pemHeaders(in content: [UInt8]) -> Int {
        content.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }).count { line in
            let text = String(decoding: line, as: UTF8.self)
            return text.begins(with: "-----BEGIN ") && text.has("CERTIFICATE-----")
        }
    }
}

/// The reason why a text or a file does not contain the expected certificates.
public struct PEMError: Error, Equatable, CustomStringConvertible {
    public let description: String
}

/// OpenSSL's error queue, of which each thread has its own. The queue is cleared before a call whose failure is
/// reported, so that no reason comes from an earlier call.
enum OpenSSLErrors {
    static func clear() {
        ERR_clear_error()
    }

    /// Returns `what`, followed by the reasons in the queue. Empties the queue.
    static func explain(_ what: String) -> String {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            let reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
            if reasons.last != reason { reasons.append(reason) }
        }
        return reasons.isEmpty ? what : "\(what) (OpenSSL: \(reasons.prefix(4).joined(separator: ", ")))"
    }
}

/// Calls an `i2d_…` function of OpenSSL, and returns the object in DER.
func encode(_ i2d: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt) throws(CheckFailure) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d(&start)
    guard count >= 0, let start else {
        throw CheckFailure(OpenSSLErrors.explain("a part of the message has no encoding"))
    }
    defer { shim_OPENSSL_free(start) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

/// Calls a `d2i_…` function of OpenSSL. It must use all of the bytes; otherwise its object is freed and an error
/// is thrown.
func decode(
    _ bytes: [UInt8], as what: String, freedBy free: @escaping (OpaquePointer) -> Void,
    _ d2i: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, CLong) -> OpaquePointer?
) throws(CheckFailure) -> OpenSSLHandle {
    OpenSSLErrors.clear()
    var unread = 0
    let pointer = bytes.withUnsafeBufferPointer { buffer in
        var position = buffer.baseAddress
        let object = d2i(&position, buffer.count)
        unread = buffer.count - (position.map { $0 - (buffer.baseAddress ?? $0) } ?? 0)
        return object
    }
    let handle = try OpenSSLHandle(pointer, freedBy: free, or: "\(what) cannot be read")
    guard unread == 0 else { throw CheckFailure("\(unread) bytes follow \(what)") }
    return handle
}

/// Returns an object identifier in dotted form.
func dotted(_ identifier: OpaquePointer?) throws(CheckFailure) -> String {
    var text = [CChar](repeating: 0, count: 128)
    let count = OBJ_obj2txt(&text, CInt(text.count), identifier, 1)
    guard count > 0, count < text.count else { throw CheckFailure("an object identifier is empty or too long") }
    return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
