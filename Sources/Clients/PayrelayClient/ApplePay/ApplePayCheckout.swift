#if canImport(PassKit) && !os(macOS)
public import PassKit
public import PayrelayAPI

/// Shows Apple's payment sheet, pays, and reports the outcome to the sheet and the app.
///
/// ```swift
/// let checkout = ApplePayCheckout(client)
/// let outcome = try await checkout.pay(order, presenting: request)
/// ```
///
/// If the sheet closes after the authorization, the payment continues: the sheet closes by itself after about 30
/// seconds, or when the app goes into the background. Such a payment is never reported as cancelled. If iOS ends
/// the app in the meantime, query the outcome with ``RelayClient/outcome(of:within:)`` at the next start.
///
/// If the total depends on the customer's choices in the sheet, pass a handler to `pay`. The handler gets the
/// amount and an order token for it from your backend, and the sheet shows that amount. The amount charged is
/// always the sheet's last total; otherwise nothing is sent.
///
/// For a subscription the request may have a `recurringPaymentRequest` (iOS 16). It is shown and sent to Apple
/// unchanged, and the resulting token is relayed like any other. The order is the first month. Your backend
/// charges later months with data that it reads from the relay; none of that data is sent to the phone.
@MainActor
public final class ApplePayCheckout {
    private let client: any RelayPayments
    private let limit: TimeLimit
    private let texts: CustomerTexts?
    private let slot: SheetSlot

    /// - Parameters:
    ///   - client: the relay's client.
    ///   - limit: the time limit for the payment, from the authorization on, and for the app's answer to a change
    ///     in the sheet. The sheet closes by itself after about 30 seconds.
    ///   - texts: the texts that the sheet shows at rejected fields; `nil` for the library's texts in the order's
    ///     language.
    public convenience init(
        _ client: any RelayPayments, within limit: TimeLimit = .seconds(25), texts: CustomerTexts? = nil
    ) {
        self.init(client, within: limit, texts: texts, slot: .ofTheApp)
    }

    init(_ client: any RelayPayments, within limit: TimeLimit, texts: CustomerTexts? = nil, slot: SheetSlot) {
        self.client = client
        self.limit = limit
        self.texts = texts
        self.slot = slot
    }

    /// Shows the sheet. Returns when the sheet is closed, and the payment's outcome is known or the time limit
    /// has passed.
    ///
    /// The customer's entries in the sheet (`requiredShippingContactFields`: email address, name, phone number)
    /// replace the order's `customerEmail`, `customerName` and `phoneNumber`. If the relay rejects one of these,
    /// the sheet marks the field and stays open.
    ///
    /// If the task is cancelled before an authorization, the sheet closes. A payment that was authorized
    /// continues.
    ///
    /// - Parameters:
    ///   - order: the order to pay.
    ///   - request: the request for the sheet. Its last summary item must show exactly the order's amount, in the
    ///     order's currency.
    ///   - onChange: called when the customer has chosen an address, a shipping method, a coupon code or a card,
    ///     for one change at a time. If it throws or exceeds the time limit, the sheet closes and nothing is
    ///     sent. `nil` if the total does not change.
    /// - Returns: `.cancelled` if the customer closed the sheet and nothing was sent.
    /// - Throws: ``RelayError``. `.invalidConfiguration` before anything is shown, if the request differs from
    ///   the order, or if another sheet of this app is still open. `.orderTokenUnavailable` if `onChange` failed,
    ///   or if the customer authorized a total that the app had not agreed to; nothing was sent then.
    public func pay(
        _ order: Order, presenting request: PKPaymentRequest, onChange: SheetChangeHandler? = nil
    ) async throws(RelayError) -> CheckoutOutcome {
        try request.check(shows: order)
        guard !Task.isCancelled else { return .cancelled }
        guard slot.take() else {
            throw .invalidConfiguration("another payment sheet of this app is not over yet")
        }
        defer { slot.release() }
        let presentation = SheetPresentation(
            client, order, asking: request.contactFields, texts: texts ?? CustomerTexts(order.language), within: limit)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { presentation.begin(request, onChange: onChange, $0) }
        } onCancel: {
            presentation.cancel()
        }
        return try outcome.get()
    }
}

/// A slot for one payment sheet at a time. A second sheet could pay the same order under another reference while
/// the outcome of the first is not known.
@MainActor
final class SheetSlot {
    static let ofTheApp = SheetSlot()

    private var isTaken = false

    func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    func release() {
        isTaken = false
    }
}
#endif
