import COpenSSL

/// Calls an `i2d_…` function of OpenSSL: the object in DER.
func encode(_ i2d: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt) throws(CheckFailure) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d(&start)
    guard count >= 0, let start else {
        throw CheckFailure(OpenSSLErrors.explain("a part of the message has no encoding"))
    }
    defer { shim_OPENSSL_free(start) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

/// Calls a `d2i_…` function of OpenSSL on all of the bytes; what does not use them up is freed and refused.
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

/// An object identifier in dotted form.
func dotted(_ identifier: OpaquePointer?) throws(CheckFailure) -> String {
    var text = [CChar](repeating: 0, count: 128)
    let count = OBJ_obj2txt(&text, CInt(text.count), identifier, 1)
    guard count > 0, count < text.count else { throw CheckFailure("an object identifier is empty or too long") }
    return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
