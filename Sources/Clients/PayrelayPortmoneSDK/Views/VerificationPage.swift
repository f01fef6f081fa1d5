public import Foundation

/// The page on which the customer confirms a payment to the card's bank (3-D Secure), and where it ends.
public struct VerificationPage: Sendable, Hashable {
    /// The page's own URL.
    public let url: URL
    /// The URL that the page goes to when the customer is done, with the payment confirmed or not.
    public let end: URL

    /// A page of these parts.
    public init(url: URL, end: URL) {
        self.url = url
        self.end = end
    }

    /// Whether a view may open this: the page's own server and nothing else.
    func allows(_ other: URL?) -> Bool {
        guard let other else { return false }
        return other.scheme == url.scheme && other.host == url.host && other.port == url.port
    }
}
