#if canImport(PassKit) && canImport(SwiftUI) && os(iOS)
public import PassKit
public import SwiftUI
import UIKit

/// Apple's own button for SwiftUI on iOS 15. (`PayWithApplePayButton` requires iOS 16.)
///
/// Show it only if `PKPaymentAuthorizationController.canMakePayments(usingNetworks:)` is true. Disable it while a
/// payment is under way or its outcome is uncertain.
///
/// ```swift
/// ApplePayButton { Task { await checkOut() } }
///     .frame(height: 48)
///     .disabled(isPaying)
/// ```
public struct ApplePayButton: UIViewRepresentable {
    private let type: PKPaymentButtonType
    private let style: PKPaymentButtonStyle
    private let action: @MainActor () -> Void

    /// - Parameter action: called for a tap. It should call ``ApplePayCheckout/pay(_:presenting:)`` in a task.
    public init(
        _ type: PKPaymentButtonType = .buy, style: PKPaymentButtonStyle = .automatic,
        action: @escaping @MainActor () -> Void
    ) {
        self.type = type
        self.style = style
        self.action = action
    }

    public func makeCoordinator() -> Coordinator {
        Coordinator(action)
    }

    public func makeUIView(context: Context) -> PKPaymentButton {
        let button = PKPaymentButton(paymentButtonType: type, paymentButtonStyle: style)
        button.addTarget(context.coordinator, action: #selector(Coordinator.tap), for: .touchUpInside)
        return button
    }

    public func updateUIView(_ button: PKPaymentButton, context: Context) {
        context.coordinator.action = action
        button.isEnabled = context.environment.isEnabled
    }

    /// Receives the taps on the button.
    @MainActor
    public final class Coordinator: NSObject {
        fileprivate var action: @MainActor () -> Void

        fileprivate init(_ action: @escaping @MainActor () -> Void) {
            self.action = action
        }

        @objc fileprivate func tap() {
            action()
        }
    }
}
#endif
