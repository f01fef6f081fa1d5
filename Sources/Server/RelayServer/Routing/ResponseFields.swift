import HTTPTypes

extension HTTPFields {
    /// Adds the fields that every response has. They prevent caching, unless the response allows it, and media
    /// type sniffing.
    mutating func addCommon() {
        if self[.cacheControl] == nil { self[.cacheControl] = "no-store" }
        self[.xContentTypeOptions] = "nosniff"
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: literals of RFC 9110 token characters.
    static let requestIdentifier = HTTPField.Name("X-Request-Id")!
    // swift-format-ignore: NeverForceUnwrap
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    // swift-format-ignore: NeverForceUnwrap
    static let idempotentReplayed = HTTPField.Name("Idempotent-Replayed")!
    // swift-format-ignore: NeverForceUnwrap
    static let serverTiming = HTTPField.Name("Server-Timing")!
}
