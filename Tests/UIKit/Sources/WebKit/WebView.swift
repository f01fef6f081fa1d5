public import Foundation
public import FoundationNetworking
public import UIKit

/// The parts of WebKit that the library uses.
@MainActor
public final class WKWebView: UIView {
    public weak var navigationDelegate: (any WKNavigationDelegate)?
    public private(set) var requests: [URLRequest] = []

    public func load(_ request: URLRequest) { requests.append(request) }

    /// Navigates as if the page led to the URL.
    public func navigate(to url: URL) async -> WKNavigationActionPolicy {
        await navigationDelegate?.webView(self, decidePolicyFor: WKNavigationAction(URLRequest(url: url))) ?? .allow
    }
}

@MainActor
public final class WKNavigationAction {
    public let request: URLRequest

    init(_ request: URLRequest) {
        self.request = request
    }
}

public enum WKNavigationActionPolicy: Sendable { case cancel, allow }

@MainActor
public protocol WKNavigationDelegate: AnyObject {
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy
}
