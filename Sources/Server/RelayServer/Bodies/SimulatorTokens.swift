import ApplePayToken
public import PayrelayPrimitives

/// Replaces the iOS Simulator's token, which has no payment data, with one that is minted for the order. A relay with
/// it must use a sandbox of its gateway.
public struct SimulatorTokens: Sendable {
    /// The payment data of the minted token.
    public struct Contents: Sendable {
        /// In minor units of `currency`.
        public let amount: MinorUnits
        /// ISO 4217, alphabetic.
        public let currency: String
        /// By Apple's name, as in the Simulator's token; nil if absent.
        public let network: String?
        public let applicationData: HexText?
    }

    private let mint: @Sendable (Contents) throws -> JSON

    /// - Parameter mint: makes a token in Apple's shape.
    public init(mint: @escaping @Sendable (Contents) throws -> JSON) {
        self.mint = mint
    }

    /// - Parameters:
    ///   - order: its fields, which the gateway takes.
    ///   - token: the Simulator's.
    /// - Throws: ``Problem`` 422 where no token can be minted for the order.
    func token(
        for order: [String: String], inPlaceOf token: JSON?, applicationData: HexText?
    ) throws(Problem) -> PaymentToken {
        guard let amount = order["amount"].flatMap(MinorUnits.init(parsing:)), let currency = order["currency"] else {
            throw .simulatorToken("The order has no amount to mint a token for.")
        }
        let contents = Contents(
            amount: amount, currency: currency, network: token?["paymentMethod"]?["network"]?.stringValue,
            applicationData: applicationData)
        do {
            return try PaymentToken(json: try mint(contents))
        } catch {
            throw .simulatorToken("No token can be minted in place of the Simulator's: \(error).")
        }
    }
}
