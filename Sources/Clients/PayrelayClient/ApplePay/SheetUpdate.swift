#if canImport(PassKit) && !os(macOS)
public import PassKit
public import PayrelayPrimitives

/// The app's answer to a change in the payment sheet: the amount that the sheet shows from now on, and the order token that pins it.
///
/// ```swift
/// let outcome = try await checkout.pay(order, presenting: request) { selection in
///     let quote = try await backend.quote(order.merchantReference, shipping: selection.shippingMethod)
///     return SheetUpdate(amount: quote.amount, orderToken: quote.orderToken)
/// }
/// ```
public struct SheetUpdate {
    /// Nil where the change is refused.
    let agreement: SheetAgreement?
    let lineItems: [PKPaymentSummaryItem]
    let shippingMethods: [PKShippingMethod]?
    let errors: [any Error]

    /// The order costs this now.
    ///
    /// - Parameters:
    ///   - amount: in minor units of the order's currency. The library writes it into the sheet's last summary item.
    ///   - orderToken: of the app's backend, for this amount under the same merchant reference.
    ///   - lineItems: the summary items above the total.
    ///   - shippingMethods: those that can be chosen from now on; nil for the same as before.
    ///   - errors: PassKit's, at fields of the sheet. It shows them, and decides whether the customer can pay nevertheless: with a
    ///     coupon code that is invalid, for example.
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

    /// The order cannot be had so: the total stays, the sheet shows these errors, and what is authorized before the customer has
    /// changed something again is not sent.
    ///
    /// - Parameter errors: PassKit's, such as `paymentShippingAddressUnserviceableError`.
    public static func refused(_ errors: [any Error]) -> SheetUpdate {
        SheetUpdate(refusedWith: errors)
    }
}

/// Asked at each change in the sheet, for one after another.
public typealias SheetChangeHandler = @MainActor (SheetSelection) async throws -> SheetUpdate
#endif
