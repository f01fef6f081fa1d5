import AccessControl

extension Problem {
    /// The one place where not knowing who calls becomes HTTP.
    init(_ fault: AuthenticationError) {
        self =
            switch fault {
            case .missing: .notAuthenticated("\(fault)", challenge: Self.bearer)
            // RFC 6750, 3.1: what was sent is wrong, and which error that is.
            case .notBearer: .notAuthenticated("\(fault)", challenge: Self.bearer + #", error="invalid_request""#)
            case .token(.keysUnavailable): .keysUnavailable
            case .unknownKey, .token:
                .notAuthenticated("\(fault)", challenge: Self.bearer + #", error="invalid_token""#)
            }
    }

    static let bearer = #"Bearer realm="payrelay""#
}
