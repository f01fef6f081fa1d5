#if canImport(UIKit) && canImport(WebKit)
public import Foundation
public import UIKit
public import WebKit
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The page of a 3-D Secure verification. The app shows it, and hides it in
/// ``PayeePaymentDelegate/paymentIsFinishedFor3dVerification(webView:)``.
public final class PortmoneWebView: UIView {
    private let page: VerificationPage
    private let webView = WKWebView()
    private var onEnd: (() -> Void)?

    init(_ page: VerificationPage, onEnd: @escaping () -> Void) {
        self.page = page
        self.onEnd = onEnd
        super.init(frame: .zero)
        webView.frame = bounds
        webView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        webView.navigationDelegate = self
        addSubview(webView)
        webView.load(URLRequest(url: page.url))
    }

    /// Not made from a storyboard.
    public required init?(coder: NSCoder) { nil }

    /// The page that is shown.
    public var url: URL { page.url }

    /// Ends the verification as it stands. Called by the view itself where the page ends; by the app where the customer gives up.
    public func finish() {
        defer { onEnd = nil }
        onEnd?()
    }
}

extension PortmoneWebView: WKNavigationDelegate {
    /// Opens nothing but the page's own server.
    public func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy {
        guard page.allows(navigationAction.request.url) else { return .cancel }
        guard navigationAction.request.url == page.end else { return .allow }
        finish()
        return .cancel
    }
}
#else
public import Foundation

/// The page of a 3-D Secure verification. Without UIKit it has the page's URL and shows nothing.
@MainActor
public final class PortmoneWebView {
    private let page: VerificationPage
    private var onEnd: (() -> Void)?

    init(_ page: VerificationPage, onEnd: @escaping () -> Void) {
        self.page = page
        self.onEnd = onEnd
    }

    /// The page that is to be shown.
    public var url: URL { page.url }

    /// Ends the verification as it stands. Called where the page has ended, or where the customer gives up.
    public func finish() {
        defer { onEnd = nil }
        onEnd?()
    }
}
#endif
