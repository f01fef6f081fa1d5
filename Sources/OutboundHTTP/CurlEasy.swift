import CCurl

/// libcurl's easy handle: the options of one transfer, and information about it afterwards.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer
    /// Where libcurl writes error messages.
    private let message: UnsafeMutablePointer<CChar>

    init() throws(OutboundFailure) {
        guard let handle = curl_easy_init() else { throw .notSent(reason: "out of memory") }
        self.handle = handle
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try set(CURLOPT_ERRORBUFFER, message)
    }

    /// Clears every option and the last error for another transfer. What libcurl has allocated stays.
    func reset() throws(OutboundFailure) {
        curl_easy_reset(handle)
        message.update(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try set(CURLOPT_ERRORBUFFER, message)
    }

    deinit {
        curl_easy_cleanup(handle)
        message.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) throws(OutboundFailure) {
        try check(payrelay_curl_set_long(handle, option, value))
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ value: String?) throws(OutboundFailure) {
        try check(payrelay_curl_set_string(handle, option, value))
    }

    /// libcurl keeps the pointer: what it points to must live as long as the transfer.
    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(OutboundFailure) {
        try check(payrelay_curl_set_pointer(handle, option, value))
    }

    func set(_ option: CURLoption, _ callback: payrelay_curl_data_callback) throws(OutboundFailure) {
        try check(payrelay_curl_set_data_callback(handle, option, callback))
    }

    /// Where an option cannot be set, nothing is sent.
    func check(_ code: CURLcode) throws(OutboundFailure) {
        if code != CURLE_OK { throw .notSent(reason: "libcurl refused an option: \(words(for: code))") }
    }

    func integer(_ info: CURLINFO) -> Int {
        var value = 0
        payrelay_curl_get_long(handle, info, &value)
        return value
    }

    func microseconds(_ info: CURLINFO) -> Duration {
        var value: curl_off_t = 0
        payrelay_curl_get_offset(handle, info, &value)
        return .microseconds(value)
    }

    /// An error in words: libcurl's name for it and its message, if any. Control characters, which a server could have chosen (in
    /// a certificate's subject, say), become spaces (S9).
    func words(for code: CURLcode) -> String {
        let name = String(cString: curl_easy_strerror(code))
        let details = String(cString: message)
        let text = details.isEmpty || details == name ? name : "\(name): \(details)"
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}

extension CurlEasy {
    /// The options that hold for every request of a client.
    func apply(_ settings: OutboundSettings) throws(OutboundFailure) {
        // Timeouts without SIGALRM: this process has other threads.
        try set(CURLOPT_NOSIGNAL, 1)
        try check(payrelay_curl_abandon_lookups(handle))
        try set(CURLOPT_TCP_NODELAY, 1)
        // The smallest size. It is allocated for each request, and the default is sixteen times a body.
        try set(CURLOPT_UPLOAD_BUFFERSIZE, 16_384)
        try set(CURLOPT_MAXAGE_CONN, max(1, Int(settings.idleLimit.components.seconds)))
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = settings.caFile {
            try set(CURLOPT_CAINFO, file)
            // Otherwise the system's folder of roots would be trusted as well.
            try set(CURLOPT_CAPATH, String?.none)
        }
        if let identity = settings.identity {
            try set(CURLOPT_SSLCERT, identity.certificateFile)
            try set(CURLOPT_SSLKEY, identity.keyFile)
        }
        if let key = settings.pinnedPublicKey { try set(CURLOPT_PINNEDPUBLICKEY, key) }
    }

    /// The options of one request. The URL and the headers must live as long as the transfer.
    func apply(_ request: OutboundRequest, to url: AllowedURL, with headers: RequestHeaderFields)
        throws(OutboundFailure)
    {
        try set(CURLOPT_CURLU, UnsafeMutableRawPointer(url.handle))
        try check(payrelay_curl_allow_protocols(handle, url.scheme == "http" ? 1 : 0))
        if url.isLoopback { try set(CURLOPT_PROXY, "") }
        try set(CURLOPT_HTTPHEADER, headers.first)
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .post, .put:
            try set(CURLOPT_POST, 1)
            // Sent alike, but for the name.
            if request.method == .put { try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
            try check(
                payrelay_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
        }
        try set(CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.wholeMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, request.timeout.wholeMilliseconds)
    }
}

extension Duration {
    /// At least one, because libcurl takes zero for "no limit", and at most what it accepts.
    fileprivate var wholeMilliseconds: Int {
        Int(min(max(.milliseconds(1), self), .milliseconds(Int32.max)) / .milliseconds(1))
    }
}
