public import Foundation

/// The page on which the customer confirms a payment to the card's bank (3-D Secure), and the URL at which it
/// ends.
public struct VerificationPage: Sendable, Hashable {
    /// The URL of the page.
    public let url: URL
    /// The URL to which the page redirects when the customer is done, whether the payment was confirmed or not.
    public let end: URL

    /// Creates a page with these URLs.
    public init(url: URL, end: URL) {
        self.url = url
        self.end = end
    }

    /// Returns whether a view may open the URL, which must be on the page's own server.
    func allows(_ other: URL?) -> Bool {
        guard let other else { return false }
        return other.scheme == url.scheme && other.host == url.host && other.port == url.port
    }
}
