import ApplePayToken
public import PayrelayPrimitives

/// A replacement for the iOS Simulator's token, which has no payment data: a token that is minted for the order.
/// A relay that uses it must be connected to a sandbox of its gateway.
public struct SimulatorTokens: Sendable {
    /// The payment data of the minted token.
    public struct Contents: Sendable {
        /// The amount in minor units of `currency`.
        public let amount: MinorUnits
        /// The alphabetic ISO 4217 code.
        public let currency: String
        /// Apple's name of the network, from the Simulator's token; `nil` if absent.
        public let network: String?
        public let applicationData: HexText?
    }

    private let mint: @Sendable (Contents) throws -> JSON

    /// - Parameter mint: returns a token in Apple's format.
    public init(mint: @escaping @Sendable (Contents) throws -> JSON) {
        self.mint = mint
    }

    /// Mints a token that replaces the Simulator's.
    ///
    /// - Parameters:
    ///   - order: the fields of the order, which the gateway accepts.
    ///   - token: the Simulator's token.
    /// - Throws: ``Problem`` 422 if no token can be minted for the order.
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
