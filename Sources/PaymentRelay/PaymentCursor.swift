public import FoundationEssentials

/// Where a page of payments ends: they are listed by a moment, and those of the same moment by reference.
public struct PaymentCursor: Sendable, Equatable {
    public let at: Date
    public let merchantReference: String

    public init(at: Date, merchantReference: String) {
        self.at = at
        self.merchantReference = merchantReference
    }

    /// The first of those that come after `place`, in order.
    static func page(of all: [PaymentCursor], after place: PaymentCursor?, limit: Int) -> [PaymentCursor] {
        let later = all.filter { place?.isBefore($0) ?? true }
        return Array(later.sorted { $0.isBefore($1) }.prefix(limit))
    }

    private func isBefore(_ other: PaymentCursor) -> Bool {
        (at, merchantReference) < (other.at, other.merchantReference)
    }
}
