import CCurl
import Glibc
import PayrelayPrimitives

extension CurlEasy {
    /// Sets the options for every request of a client.
    func apply(_ settings: OutboundSettings) throws(NotSent) {
        // Timeouts without SIGALRM, which would interrupt other threads of this process.
        try set(CURLOPT_NOSIGNAL, 1)
        try check(payrelay_curl_abandon_lookups(handle))
        try set(CURLOPT_TCP_NODELAY, 1)
        // Both buffers are allocated for each request in flight. A gateway's response has about 2 KB, and a
        // request's body about 4 KB. 16 KB is libcurl's minimum for uploads.
        try set(CURLOPT_BUFFERSIZE, 4_096)
        try set(CURLOPT_UPLOAD_BUFFERSIZE, 16_384)
        try set(CURLOPT_MAXAGE_CONN, max(1, Int(settings.idleLimit.components.seconds)))
        try set(CURLOPT_HTTP_VERSION, settings.offersHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_SSL_VERIFYPEER, settings.isHealthProbe ? 0 : 1)
        try set(CURLOPT_SSL_VERIFYHOST, settings.isHealthProbe ? 0 : 2)
        if let file = settings.caFile { try set(CURLOPT_CAINFO, file) }
        // Without this, the system's folder of roots would be trusted in addition to the configured file. In
        // addition to the system's own file, the folder adds nothing, but libcurl caches roots only if all
        // of them come from a file. Otherwise it would read all roots again for each connection, which takes tens of
        // milliseconds and blocks all other transfers.
        if settings.caFile != nil || Self.systemHasFileOfRoots { try set(CURLOPT_CAPATH, String?.none) }
        if let identity = settings.identity {
            try set(CURLOPT_SSLCERT_BLOB, blob: identity.certificate)
            try set(CURLOPT_SSLKEY_BLOB, blob: identity.key.exposed)
        }
    }

    /// Whether the file of the system's roots for which libcurl was built exists.
    private static let systemHasFileOfRoots = payrelay_curl_file_of_roots().map { access($0, R_OK) == 0 } ?? false

    private func set(_ option: CURLoption, blob text: String) throws(NotSent) {
        let code = Array(text.utf8).withUnsafeBytes { bytes in
            payrelay_curl_set_blob(handle, option, bytes.baseAddress, bytes.count)
        }
        try check(code)
    }

    /// Sets the options that requests of the same shape share. The shape must live until the handle is reset.
    func apply(_ shape: RequestShape) throws(NotSent) {
        try set(CURLOPT_CURLU, UnsafeMutableRawPointer(shape.url.handle))
        try check(payrelay_curl_allow_protocols(handle, shape.url.scheme == "http" ? 1 : 0))
        if shape.url.isLoopback { try set(CURLOPT_PROXY, "") }
        try set(CURLOPT_HTTPHEADER, shape.fields.first)
        switch shape.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .post: try set(CURLOPT_POST, 1)
        case .put, .patch, .delete:
            // Sent like a POST, except for the name of the method.
            try set(CURLOPT_POST, 1)
            try set(CURLOPT_CUSTOMREQUEST, shape.method.rawValue)
        }
    }

    /// Sets the options that may differ between requests of the same shape: the body and the timeouts.
    func apply(_ request: OutboundRequest) throws(NotSent) {
        if request.method != .get { try check(payrelay_curl_set_body(handle, request.body, request.body.count)) }
        try set(CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.wholeMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, request.timeout.wholeMilliseconds)
    }
}

extension Duration {
    /// The duration in milliseconds: at least one, because libcurl treats zero as no limit, and at most the
    /// maximum that libcurl accepts.
    fileprivate var wholeMilliseconds: Int {
        Int(min(max(.milliseconds(1), self), .milliseconds(Int32.max)) / .milliseconds(1))
    }
}
