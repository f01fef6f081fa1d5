/// A payment as lines of a report state it together. Amounts are in minor units.
struct ReportedPayment: Sendable, Equatable {
    var merchantReference: String
    /// Number of the payment's first line, counted from 1.
    var line: Int
    /// ISO 4217, alphabetic; nil if the lines name several.
    var currency: String?
    /// The authorized amount; nil if no authorization succeeded.
    var authorized: Int?
    /// Sums of the successful operations.
    var purchased = 0
    var captured = 0
    var refunded = 0
    var isVoided = false
    /// Whether a purchase or an authorization failed.
    var hasFailedCharge = false
    /// Whether a line says that no money is taken or held.
    var isUnpaid = false
    /// Whether this is about the payment's lines whose dates are outside the compared period; the other lines are another value.
    var isOutside = false

    /// Total charged, by purchase and by capture.
    var charged: Int { purchased + captured }

    /// Whether the payment itself succeeded there.
    var hasCharge: Bool { authorized != nil || charged > 0 }

    /// Whether anything succeeded there.
    var hasSuccess: Bool { hasCharge || refunded > 0 || isVoided }

    /// State of the payment, in this service's names for states, or `unpaid`.
    var state: String? {
        if isVoided { return "voided" }
        if refunded > 0 { return refunded < charged ? "partially_refunded" : "refunded" }
        if charged > 0 { return "captured" }
        if authorized != nil { return "authorized" }
        return hasFailedCharge ? "declined" : isUnpaid ? "unpaid" : nil
    }
}

/// A payment that moved money here and that a report does not name.
struct UnreportedPayment: Sendable, Equatable {
    var merchantReference: String
    /// ISO 4217, alphabetic.
    var currency: String
    var moved: Moved
}
