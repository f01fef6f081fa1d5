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
/// The payment goes on when the sheet is closed after the authorization: by its own time limit of about 30 seconds, or
/// because the app went into the background. It is never reported as cancelled then. When iOS ends the app meanwhile, ask
/// with ``RelayClient/outcome(of:within:)`` at the next start.
///
/// Where the total depends on what the customer chooses in the sheet, give `pay` a handler: it gets the amount and an order token for it
/// from your backend, and the sheet shows that amount. What is charged is the sheet's last total, or nothing is sent.
///
/// For a subscription the request may carry a `recurringPaymentRequest` (iOS 16): it is shown and sent to Apple as it is, and the token
/// that comes back is relayed as any other. The first month is the order; later months are charged by the backend, which reads from
/// the relay what it needs for them. None of that is sent to the phone.
@MainActor
public final class ApplePayCheckout {
    private let client: any RelayPayments
    private let limit: TimeLimit
    private let texts: CustomerTexts?
    private let slot: SheetSlot

    /// - Parameters:
    ///   - client: of the relay.
    ///   - limit: for the payment, from the authorization on, and for the app's answer to a change in the sheet. The sheet gives up
    ///     after about 30 seconds.
    ///   - texts: what the sheet says at fields that are refused; nil for the library's, in the order's language.
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

    /// Shows the sheet, and returns when it is gone and the outcome of the payment is known or its time is over.
    ///
    /// The customer's entries in the sheet (`requiredShippingContactFields`: email address, name, phone number) replace
    /// the order's `customerEmail`, `customerName` and `phoneNumber`. If the relay refuses one of these, the sheet
    /// marks it and stays open.
    ///
    /// When the task is cancelled, a sheet without an authorization closes; a payment that was authorized goes on.
    ///
    /// - Parameters:
    ///   - order: what is to be paid.
    ///   - request: its last summary item must show exactly the order's amount, in the order's currency.
    ///   - onChange: asked when the customer has chosen an address, a shipping method, a coupon code or a card, for one change after
    ///     another. If it throws or is late, the sheet closes and nothing is sent. Nil where the total does not change.
    /// - Returns: `.cancelled` where the customer closed the sheet and nothing was sent.
    /// - Throws: ``RelayError``. `.invalidConfiguration` before anything is shown, where the request and the order differ or
    ///   another sheet of this app is not over yet. `.orderTokenUnavailable` where `onChange` failed, or what the customer authorized
    ///   was not agreed to: nothing was sent.
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

/// Room for one payment sheet at a time. A second one could pay the same order under another reference, while it is not
/// known what became of the first.
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
