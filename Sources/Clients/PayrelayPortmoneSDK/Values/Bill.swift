#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A paid bill with its receipt. Portmone, "Bill object".
public struct Bill: Sendable, Hashable {
    /// The payment's unique identifier.
    public let billId: String?
    /// A link to the receipt as PDF. (Portmone spells it so.)
    public let recieptUrl: String?
    /// The personal account that was paid.
    public let contractNumber: String?
    /// When it was paid, to the millisecond.
    public let payDate: Date?

    /// A bill of these parts.
    public init(billId: String?, recieptUrl: String?, contractNumber: String?, payDate: Date?) {
        self.billId = billId
        self.recieptUrl = recieptUrl
        self.contractNumber = contractNumber
        self.payDate = payDate
    }
}
