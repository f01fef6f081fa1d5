import CCurl

/// libcurl's easy handle: the options of one transfer, and information about the transfer afterwards.
///
/// The handle keeps its options for the next request with the same ``RequestShape``, because setting all of them
/// again costs as much as the rest of an exchange. Only the options that differ between two such requests are set
/// each time.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer
    /// The index of the handle among its client's handles. It is also stored in libcurl's handle.
    let number: Int
    /// The buffer into which libcurl writes error messages.
    private let message: UnsafeMutablePointer<CChar>
    private let settings: OutboundSettings
    /// The shape whose options are set; `nil` after a reset. libcurl holds pointers into the shape.
    private(set) var shape: RequestShape?

    init(number: Int, _ settings: OutboundSettings) throws(NotSent) {
        guard let handle = curl_easy_init() else { throw NotSent(reason: "out of memory") }
        self.handle = handle
        self.number = number
        self.settings = settings
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(handle)
        message.deallocate()
    }

    /// Sets the options for the request. If the previous request had another shape, its options are cleared.
    ///
    /// - Throws: ``NotSent`` if the request may not be sent.
    func prepare(for request: OutboundRequest) throws(NotSent) {
        message.pointee = 0
        if shape?.serves(request) != true { try reset(to: RequestShape(of: request)) }
        try apply(request)
    }

    /// Frees the copy of the last request's body, which libcurl would keep until the next request. Skipped for a
    /// GET, which has no body and which the option would turn into a POST.
    func forgetBody() {
        if shape?.method != .get { payrelay_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, nil) }
    }

    /// Clears every option. Memory that libcurl has allocated for the handle is kept.
    func reset() {
        curl_easy_reset(handle)
        shape = nil
    }

    private func reset(to shape: RequestShape) throws(NotSent) {
        reset()
        // The shape is stored only after all options were set. Otherwise, after an error, the next request would
        // use half of the options.
        try set(CURLOPT_ERRORBUFFER, message)
        try set(CURLOPT_PRIVATE, UnsafeMutableRawPointer(bitPattern: number))
        try apply(settings)
        try apply(shape)
        try registerCallbacks()
        self.shape = shape
    }

    /// Returns the index of one of these objects by its libcurl handle.
    static func number(of handle: UnsafeMutableRawPointer) -> Int {
        var number: UnsafeMutableRawPointer?
        payrelay_curl_get_pointer(handle, CURLINFO_PRIVATE, &number)
        return Int(bitPattern: number)
    }

    func set(_ option: CURLoption, _ value: Int) throws(NotSent) {
        try check(payrelay_curl_set_long(handle, option, value))
    }

    /// Sets an option. libcurl copies the text.
    func set(_ option: CURLoption, _ value: String?) throws(NotSent) {
        try check(payrelay_curl_set_string(handle, option, value))
    }

    /// Sets an option. libcurl keeps the pointer, so its target must live as long as the transfer.
    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(NotSent) {
        try check(payrelay_curl_set_pointer(handle, option, value))
    }

    func set(_ option: CURLoption, _ callback: payrelay_curl_data_callback) throws(NotSent) {
        try check(payrelay_curl_set_data_callback(handle, option, callback))
    }

    /// Throws if an option could not be set, so that nothing is sent.
    func check(_ code: CURLcode) throws(NotSent) {
        if code != CURLE_OK { throw NotSent(reason: "libcurl refused an option: \(words(for: code))") }
    }

    func integer(_ info: CURLINFO) -> Int {
        var value = 0
        payrelay_curl_get_long(handle, info, &value)
        return value
    }

    /// Returns a description of an error: libcurl's name for it and its message, if any. Control characters,
    /// which a server may have chosen (for example in a certificate's subject), are replaced with spaces (S9).
    func words(for code: CURLcode) -> String {
        let name = String(cString: curl_easy_strerror(code))
        let details = String(cString: message)
        let text = details.isEmpty || details == name ? name : "\(name): \(details)"
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
