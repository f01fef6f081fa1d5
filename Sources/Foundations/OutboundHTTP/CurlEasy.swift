import CCurl

/// libcurl's easy handle: the options of one transfer, and information about it afterwards.
///
/// It keeps its options for the next request of the same ``RequestShape``: to set them all again costs as much as the rest of an
/// exchange. Only what differs between two such requests is set each time.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer
    /// Its place among its client's handles, which libcurl keeps as well.
    let number: Int
    /// Where libcurl writes error messages.
    private let message: UnsafeMutablePointer<CChar>
    private let settings: OutboundSettings
    /// The shape whose options are set; nil after a reset. libcurl holds pointers into it.
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

    /// Sets the options that the request needs. The options of an earlier request of another shape are cleared.
    ///
    /// - Throws: ``NotSent`` where the request is not one that may be sent.
    func prepare(for request: OutboundRequest) throws(NotSent) {
        message.pointee = 0
        if shape?.serves(request) != true { try reset(to: RequestShape(of: request)) }
        try apply(request)
    }

    /// Frees the copy of the last request's body, which libcurl would keep until the next one. A GET has none, and the option would make
    /// it a POST.
    func forgetBody() {
        if shape?.method != .get { payrelay_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, nil) }
    }

    /// Clears every option. What libcurl has allocated stays.
    func reset() {
        curl_easy_reset(handle)
        shape = nil
    }

    private func reset(to shape: RequestShape) throws(NotSent) {
        reset()
        // Only once all are set are they a shape's: an error on the way must not leave half of them to the next request.
        try set(CURLOPT_ERRORBUFFER, message)
        try set(CURLOPT_PRIVATE, UnsafeMutableRawPointer(bitPattern: number))
        try apply(settings)
        try apply(shape)
        try registerCallbacks()
        self.shape = shape
    }

    /// The number of a handle of libcurl's that one of these objects owns.
    static func number(of handle: UnsafeMutableRawPointer) -> Int {
        var number: UnsafeMutableRawPointer?
        payrelay_curl_get_pointer(handle, CURLINFO_PRIVATE, &number)
        return Int(bitPattern: number)
    }

    func set(_ option: CURLoption, _ value: Int) throws(NotSent) {
        try check(payrelay_curl_set_long(handle, option, value))
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ value: String?) throws(NotSent) {
        try check(payrelay_curl_set_string(handle, option, value))
    }

    /// libcurl keeps the pointer: what it points to must live as long as the transfer.
    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(NotSent) {
        try check(payrelay_curl_set_pointer(handle, option, value))
    }

    func set(_ option: CURLoption, _ callback: payrelay_curl_data_callback) throws(NotSent) {
        try check(payrelay_curl_set_data_callback(handle, option, callback))
    }

    /// Where an option cannot be set, nothing is sent.
    func check(_ code: CURLcode) throws(NotSent) {
        if code != CURLE_OK { throw NotSent(reason: "libcurl refused an option: \(words(for: code))") }
    }

    func integer(_ info: CURLINFO) -> Int {
        var value = 0
        payrelay_curl_get_long(handle, info, &value)
        return value
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
