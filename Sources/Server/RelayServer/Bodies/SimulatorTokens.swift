import ApplePayToken
public import PayrelayPrimitives

/// Takes the iOS Simulator's token, which has no payment data, and pays with a minted one for the order. A relay that has this
/// must have a sandbox for its FORT.
public struct SimulatorTokens: Sendable {
    /// What the minted token is for.
    public struct Contents: Sendable {
        /// In minor units of `currency`.
        public let amount: MinorUnits
        /// ISO 4217, alphabetic.
        public let currency: String
        /// By Apple's name, as the Simulator's token has it; nil where it has none.
        public let network: String?
        public let applicationData: HexText?
    }

    private let mint: @Sendable (Contents) throws -> JSON

    /// - Parameter mint: makes a token in Apple's shape.
    public init(mint: @escaping @Sendable (Contents) throws -> JSON) {
        self.mint = mint
    }

    /// - Parameters:
    ///   - order: its fields, which the processor takes.
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
