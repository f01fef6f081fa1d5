#if canImport(UIKit) && canImport(WebKit)
public import Foundation
public import UIKit
public import WebKit
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The page of a 3-D Secure verification. The app shows the view, and hides it in
/// ``PayeePaymentDelegate/paymentIsFinishedFor3dVerification(webView:)``.
public final class PortmoneWebView: UIView {
    private let page: VerificationPage
    private let webView = WKWebView()
    /// Called at the end of the verification, with the view, or with `nil` if the app has dropped the view.
    private var onEnd: (@MainActor @Sendable (PortmoneWebView?) -> Void)?

    init(_ page: VerificationPage, onEnd: @escaping @MainActor @Sendable (PortmoneWebView?) -> Void) {
        self.page = page
        self.onEnd = onEnd
        super.init(frame: .zero)
        webView.frame = bounds
        webView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        webView.navigationDelegate = self
        addSubview(webView)
        webView.load(URLRequest(url: page.url))
    }

    /// Not supported: the view cannot be created from a storyboard.
    public required init?(coder: NSCoder) { nil }

    // An app that dismisses the view's screen ends the verification, too.
    deinit {
        guard let onEnd else { return }
        Task { @MainActor in onEnd(nil) }
    }

    /// The page that is shown.
    public var url: URL { page.url }

    /// Ends the verification in its current state. The view calls it when the page ends; the app calls it if the
    /// customer gives up. Dropping the view has the same effect.
    public func finish() {
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?(self)
    }
}

extension PortmoneWebView: WKNavigationDelegate {
    /// Allows only requests to the page's own server.
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
    /// Called at the end of the verification, with the view, or with `nil` if the app has dropped the view.
    private var onEnd: (@MainActor @Sendable (PortmoneWebView?) -> Void)?

    init(_ page: VerificationPage, onEnd: @escaping @MainActor @Sendable (PortmoneWebView?) -> Void) {
        self.page = page
        self.onEnd = onEnd
    }

    // An app that dismisses the view's screen ends the verification, too.
    deinit {
        guard let onEnd else { return }
        Task { @MainActor in onEnd(nil) }
    }

    /// The page to be shown.
    public var url: URL { page.url }

    /// Ends the verification in its current state. Call it when the page has ended, or if the customer gives up.
    /// Dropping the view has the same effect.
    public func finish() {
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?(self)
    }
}
#endif
