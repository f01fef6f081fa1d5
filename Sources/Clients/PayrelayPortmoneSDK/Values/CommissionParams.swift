import PayrelayPrimitives

/// The parameters of a request for a commission. Portmone calls them "CommissionParams object".
public struct CommissionParams: Sendable {
    /// A card from ``CardsService/getMasterpassCards(completion:)``.
    public var card: MasterpassCard
    /// The amount in hryvnias, with kopecks as decimals: 0 to 99999999.99.
    public var billAmount: Double
    /// The login for paying this company.
    public var merchantLogin: String
    /// A unique number, which the app chooses. A number that was paid cannot be paid again.
    public var billNumber: String

    /// Creates parameters with these parts.
    public init(card: MasterpassCard, billAmount: Double, merchantLogin: String, billNumber: String) {
        self.card = card
        self.billAmount = billAmount
        self.merchantLogin = merchantLogin
        self.billNumber = billNumber
    }

    /// Validates the parameters.
    ///
    /// - Returns: 2004, 2017, or 2100 for an empty bill number; `nil` if the parameters are valid.
    public func validate() -> (any Error)? {
        Result { () throws(PortmoneError) in try checked() }.error
    }

    /// Checks the parameters.
    ///
    /// - Returns: the exact amount.
    func checked() throws(PortmoneError) -> MinorUnits {
        let amount = try MinorUnits(hryvnias: billAmount)
        guard !merchantLogin.isEmpty else { throw .merchantLoginEmpty }
        guard !billNumber.isEmpty else { throw .internal.with("billNumber cannot be empty") }
        return amount
    }
}
