import CCurl

extension CurlEasy {
    /// Registers the callbacks, which stay registered until the handle is reset. ``callBack(_:)`` sets the
    /// transfer that they are called for.
    func registerCallbacks() throws(NotSent) {
        try check(
            payrelay_curl_set_prereq_callback(handle) { context, _, _, _, _ in
                CurlTransfer.at(context).mayBegin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
        // If a callback accepts fewer bytes than it was given, libcurl ends the transfer.
        try set(CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
            let line = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return CurlTransfer.at(context).take(headerLine: line) ? line.count : 0
        }
        try set(CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
            let piece = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return CurlTransfer.at(context).take(body: piece) ? piece.count : 0
        }
    }

    /// Sets the transfer that the callbacks are called for. It must live as long as the easy handle is in a multi
    /// handle.
    func callBack(_ transfer: CurlTransfer) throws(NotSent) {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        try set(CURLOPT_PREREQDATA, context)
        try set(CURLOPT_HEADERDATA, context)
        try set(CURLOPT_WRITEDATA, context)
    }
}

extension CurlTransfer {
    fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let context else { preconditionFailure("libcurl passes the pointer it was given") }
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }
}
