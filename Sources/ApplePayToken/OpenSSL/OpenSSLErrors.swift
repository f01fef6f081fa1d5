import COpenSSL

/// OpenSSL's queue of errors, which belongs to the thread. It is emptied before a call whose failure is reported, so
/// that a reason never comes from an earlier one.
enum OpenSSLErrors {
    static func clear() {
        ERR_clear_error()
    }

    /// `what`, and the reasons in the queue behind it. Empties the queue.
    static func explain(_ what: String) -> String {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            let reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
            if reasons.last != reason { reasons.append(reason) }
        }
        return reasons.isEmpty ? what : "\(what) (OpenSSL: \(reasons.prefix(4).joined(separator: ", ")))"
    }
}
