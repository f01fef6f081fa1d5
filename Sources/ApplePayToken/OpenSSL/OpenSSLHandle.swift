import COpenSSL

/// Owns one OpenSSL object and frees it. It cannot be copied, so it lives to the end of its scope, and a pointer taken
/// from it stays good until there.
struct OpenSSLHandle: ~Copyable {
    let pointer: OpaquePointer
    private let free: (OpaquePointer) -> Void

    /// - Parameter pointer: what OpenSSL returned, owned by the caller; nil where OpenSSL failed.
    /// - Throws: ``CheckFailure`` with `what` and OpenSSL's reason where it failed.
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
    /// A BIO in memory with a copy of these bytes.
    static func memory(holding bytes: [UInt8] = []) throws(CheckFailure) -> OpenSSLHandle {
        let bio = try OpenSSLHandle(BIO_new(BIO_s_mem()), freedBy: { BIO_free($0) }, or: "OpenSSL has no memory")
        guard bytes.isEmpty || BIO_write(bio.pointer, bytes, CInt(bytes.count)) == bytes.count else {
            throw CheckFailure(OpenSSLErrors.explain("OpenSSL does not take \(bytes.count) bytes"))
        }
        return bio
    }
}
