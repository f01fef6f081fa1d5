#if canImport(PassKit)
import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives

extension PKPaymentRequest {
    /// The customer authorizes what the sheet shows: it must be what the order says, to the last decimal.
    ///
    /// - Throws: ``RelayError/invalidConfiguration(_:)``.
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
