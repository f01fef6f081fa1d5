import CCurl

extension CurlEasy {
    /// Registers what libcurl calls. They stay until the handle is reset; whom they concern, ``callBack(_:)`` says.
    func registerCallbacks() throws(NotSent) {
        try check(
            payrelay_curl_set_prereq_callback(handle) { context, _, _, _, _ in
                CurlTransfer.at(context).mayBegin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
        // A callback that takes less than it was given ends the transfer.
        try set(CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
            let line = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return CurlTransfer.at(context).take(headerLine: line) ? line.count : 0
        }
        try set(CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
            let piece = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return CurlTransfer.at(context).take(body: piece) ? piece.count : 0
        }
    }

    /// Makes the callbacks concern this transfer. It must live as long as the easy handle is in a multi handle.
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
