#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A paid bill with its receipt. Portmone calls it "Bill object".
public struct Bill: Sendable, Hashable {
    /// The payment's unique identifier.
    public let billId: String?
    /// A link to the receipt as a PDF, with Portmone's spelling.
    public let recieptUrl: String?
    /// The personal account that was paid.
    public let contractNumber: String?
    /// When the bill was paid, to the millisecond.
    public let payDate: Date?

    /// Creates a bill with these parts.
    public init(billId: String?, recieptUrl: String?, contractNumber: String?, payDate: Date?) {
        self.billId = billId
        self.recieptUrl = recieptUrl
        self.contractNumber = contractNumber
        self.payDate = payDate
    }
}
