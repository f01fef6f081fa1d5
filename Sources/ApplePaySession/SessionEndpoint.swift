/// Where one session is asked for: a URL put together from the allow list. Only a ``SessionGateway`` makes one, so no text of a
/// caller's is ever connected to.
public struct SessionEndpoint: Hashable, Sendable {
    public let url: String

    /// The paths that Apple documents. Both take the same body.
    enum Path: String, CaseIterable {
        /// Of the static host.
        case paymentSession = "/paymentservices/paymentSession"
        /// Of the URL that Apple Pay JS hands the page in `event.validationURL`.
        case startSession = "/paymentservices/startSession"
    }

    /// - Parameter authority: a host, and `:PORT` where it is not 443.
    init(authority: String, path: Path) {
        url = "https://\(authority)\(path.rawValue)"
    }
}
