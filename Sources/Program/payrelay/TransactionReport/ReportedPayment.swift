/// A payment as the lines of a report state it together. Amounts are in minor units.
struct ReportedPayment: Sendable, Equatable {
    var merchantReference: String
    /// The number of the payment's first line, counted from 1.
    var line: Int
    /// The alphabetic ISO 4217 code; `nil` if the lines have different currencies.
    var currency: String?
    /// The authorized amount; `nil` if no authorization succeeded.
    var authorized: Int?
    /// The sums of the successful operations.
    var purchased = 0
    var captured = 0
    var refunded = 0
    var isVoided = false
    /// Whether a purchase or an authorization failed.
    var hasFailedCharge = false
    /// Whether a line states that no money is taken or held.
    var isUnpaid = false
    /// Whether this value is for the payment's lines with dates outside the compared period. The other lines have
    /// a separate value.
    var isOutside = false

    /// The total charged amount, by purchases and captures.
    var charged: Int { purchased + captured }

    /// Whether the payment itself succeeded in the report.
    var hasCharge: Bool { authorized != nil || charged > 0 }

    /// Whether anything about the payment succeeded in the report.
    var hasSuccess: Bool { hasCharge || refunded > 0 || isVoided }

    /// The state of the payment, as a ``PaymentState`` of this service or `unpaid`.
    var state: String? {
        if isVoided { return "voided" }
        if refunded > 0 { return refunded < charged ? "partially_refunded" : "refunded" }
        if charged > 0 { return "captured" }
        if authorized != nil { return "authorized" }
        return hasFailedCharge ? "declined" : isUnpaid ? "unpaid" : nil
    }
}

/// A payment that moved money in the journal but is not in the report.
struct UnreportedPayment: Sendable, Equatable {
    var merchantReference: String
    /// The alphabetic ISO 4217 code.
    var currency: String
    var moved: Moved
}
