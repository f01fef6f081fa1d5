#if canImport(PassKit)
import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives

extension PKPaymentRequest {
    /// Checks that the sheet shows exactly the order's amount, because the customer authorizes the amount in the
    /// sheet.
    ///
    /// - Throws: ``RelayError/invalidConfiguration(_:)`` if the amounts or currencies differ.
    func check(shows order: Order) throws(RelayError) {
        guard currencyCode == order.currency.code else {
            throw .invalidConfiguration("the sheet's currency differs from the order's, \(order.currency.code)")
        }
        guard let total = paymentSummaryItems.last else {
            throw .invalidConfiguration("the sheet has no summary item, and so no amount")
        }
        guard total.type == .final else {
            throw .invalidConfiguration(
                "the sheet's last summary item is pending: the customer would authorize no amount")
        }
        let shown: MinorUnits
        do throws(AmountError) {
            shown = try MinorUnits(total.amount.decimalValue, order.currency)
        } catch {
            throw .invalidConfiguration("the amount of the sheet's last summary item \(error)")
        }
        guard shown == order.amount else {
            throw .invalidConfiguration(
                "the sheet's last summary item shows \(shown) minor units, and the order's amount is \(order.amount)")
        }
    }
}
#endif
