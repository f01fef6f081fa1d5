import CCurl

/// libcurl's easy handle: one transfer's options, and what can be asked about it afterwards.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer
    /// Where libcurl writes what went wrong.
    private let message: UnsafeMutablePointer<CChar>

    init() throws(OutboundFailure) {
        guard let handle = curl_easy_init() else { throw .notSent(reason: "out of memory") }
        self.handle = handle
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try set(CURLOPT_ERRORBUFFER, message)
    }

    /// Forgets every option and what became of the last transfer, for another one. What libcurl has allocated stays.
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

    /// An option that cannot be set is a promise that cannot be kept: nothing is sent.
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

    /// What went wrong: libcurl's name for it and, where it left one, its message. Control characters, which a server
    /// could have chosen (in a certificate's subject, say), become spaces.
    func words(for code: CURLcode) -> String {
        let name = String(cString: curl_easy_strerror(code))
        let details = String(cString: message)
        let text = details.isEmpty || details == name ? name : "\(name): \(details)"
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
