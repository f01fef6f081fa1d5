public import FoundationEssentials
public import PaymentRelay

/// Shorter calls for journals in which all payments and hints are FORT's.
extension Journal {
    public func lease<Work: LeasedWork>(
        _ kind: Work.Type, limit: Int, at moment: Date, until expiry: Date
    ) async throws(JournalError) -> [Work] {
        try await lease(kind, of: "fort", limit: limit, at: moment, until: expiry)
    }

    public func add(
        _ hint: GatewayHint, charge: String? = nil, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await add(hint, of: "fort", charge: charge, kind: kind, at: moment, limit: limit)
    }

    /// Adds a hint for which the reference is enough.
    public func add(
        _ hint: GatewayHint, of gateway: String, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await add(hint, of: gateway, charge: nil, kind: kind, at: moment, limit: limit)
    }
}
