#if canImport(PassKit) && !os(macOS)
public import PassKit
public import PayrelayPrimitives

/// The app's answer to a change in the payment sheet: the amount that the sheet shows from now on, and the order
/// token that pins the amount.
///
/// ```swift
/// let outcome = try await checkout.pay(order, presenting: request) { selection in
///     let quote = try await backend.quote(order.merchantReference, shipping: selection.shippingMethod)
///     return SheetUpdate(amount: quote.amount, orderToken: quote.orderToken)
/// }
/// ```
public struct SheetUpdate {
    /// `nil` if the change is refused.
    let agreement: SheetAgreement?
    let lineItems: [PKPaymentSummaryItem]
    let shippingMethods: [PKShippingMethod]?
    let errors: [any Error]

    /// Accepts the change with a new amount.
    ///
    /// - Parameters:
    ///   - amount: the amount in minor units of the order's currency. The library writes it into the sheet's last
    ///     summary item.
    ///   - orderToken: an order token from the app's backend, for this amount and the same merchant reference.
    ///   - lineItems: the summary items above the total.
    ///   - shippingMethods: the shipping methods that can be chosen from now on; `nil` to keep the current ones.
    ///   - errors: errors of PassKit for fields of the sheet. The sheet shows them, and decides whether the
    ///     customer can pay nevertheless, for example with an invalid coupon code.
    public init(
        amount: MinorUnits, orderToken: String, lineItems: [PKPaymentSummaryItem] = [],
        shippingMethods: [PKShippingMethod]? = nil, errors: [any Error] = []
    ) {
        agreement = SheetAgreement(amount: amount, orderToken: orderToken)
        self.lineItems = lineItems
        self.shippingMethods = shippingMethods
        self.errors = errors
    }

    private init(refusedWith errors: [any Error]) {
        agreement = nil
        lineItems = []
        shippingMethods = nil
        self.errors = errors
    }

    /// Refuses the change. The total stays, and the sheet shows the errors. Until the customer makes another
    /// choice, an authorized payment is not sent.
    ///
    /// - Parameter errors: errors of PassKit, such as `paymentShippingAddressUnserviceableError`.
    public static func refused(_ errors: [any Error]) -> SheetUpdate {
        SheetUpdate(refusedWith: errors)
    }
}

/// A function that is called for each change in the sheet, one change at a time.
public typealias SheetChangeHandler = @MainActor (SheetSelection) async throws -> SheetUpdate
#endif
