#if canImport(PassKit) && !os(macOS)
import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives

/// The content of the sheet. The app's updates change the items; the library sets the total.
@MainActor struct ShownTotal {
    private let label: String
    private let currency: Currency
    private var items: [PKPaymentSummaryItem]
    private var shippingMethods: [PKShippingMethod]

    init(_ request: PKPaymentRequest, in currency: Currency) {
        label = request.paymentSummaryItems.last?.label ?? ""
        self.currency = currency
        items = request.paymentSummaryItems
        shippingMethods = request.shippingMethods ?? []
    }

    /// Returns whether the customer can choose a shipping method with this identifier.
    func offers(_ identifier: String?) -> Bool { shippingMethods.contains { $0.identifier == identifier } }

    /// Applies an update, and returns the answer for the sheet.
    mutating func apply(_ update: SheetUpdate) -> SheetAnswer {
        guard let agreement = update.agreement else { return answer(isRefused: true, update.errors) }
        let amount = NSDecimalNumber(decimal: agreement.amount.decimal(in: currency))
        items = update.lineItems + [PKPaymentSummaryItem(label: label, amount: amount)]
        if let methods = update.shippingMethods { shippingMethods = methods }
        return answer(isRefused: false, update.errors, newShippingMethods: update.shippingMethods ?? [])
    }

    /// The answer for the sheet if a change cannot be made. The total stays.
    var rejection: SheetAnswer { answer(isRefused: true, []) }

    private func answer(
        isRefused: Bool, _ errors: [any Error], newShippingMethods: [PKShippingMethod] = []
    ) -> SheetAnswer {
        SheetAnswer(
            isRefused: isRefused, items: items, shippingMethods: shippingMethods,
            newShippingMethods: newShippingMethods, errors: errors)
    }
}

/// The answer to a change in the sheet, which is converted into one of PassKit's answer types.
struct SheetAnswer {
    let isRefused: Bool
    /// The summary items. The last is the total.
    let items: [PKPaymentSummaryItem]
    let shippingMethods: [PKShippingMethod]
    /// The new shipping methods; empty if they do not change.
    let newShippingMethods: [PKShippingMethod]
    let errors: [any Error]

    /// Returns PassKit's status for the answer.
    ///
    /// - Parameter showsErrors: whether the PassKit type can have errors.
    private func status(showsErrors: Bool) -> PKPaymentAuthorizationStatus {
        isRefused && !(showsErrors && !errors.isEmpty) ? .failure : .success
    }

    var forShippingContact: PKPaymentRequestShippingContactUpdate {
        let update = PKPaymentRequestShippingContactUpdate(
            errors: errors, paymentSummaryItems: items, shippingMethods: shippingMethods)
        update.status = status(showsErrors: true)
        return update
    }

    var forShippingMethod: PKPaymentRequestShippingMethodUpdate {
        let update = PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: items)
        update.shippingMethods = newShippingMethods
        update.status = status(showsErrors: false)
        return update
    }

    var forCouponCode: PKPaymentRequestCouponCodeUpdate {
        let update = PKPaymentRequestCouponCodeUpdate(
            errors: errors, paymentSummaryItems: items, shippingMethods: newShippingMethods)
        update.status = status(showsErrors: true)
        return update
    }

    var forPaymentMethod: PKPaymentRequestPaymentMethodUpdate {
        let update = PKPaymentRequestPaymentMethodUpdate(errors: errors, paymentSummaryItems: items)
        update.shippingMethods = newShippingMethods
        update.status = status(showsErrors: true)
        return update
    }
}
#endif
