import PayrelayPrimitives

/// Parameters of a request for a commission. Portmone, "CommissionParams object".
public struct CommissionParams: Sendable {
    /// A card of ``CardsService/getMasterpassCards(completion:)``.
    public var card: MasterpassCard
    /// In hryvnias, with kopecks as decimals: 0 to 99999999.99.
    public var billAmount: Double
    /// The login to pay this company.
    public var merchantLogin: String
    /// A unique number, which the app makes. One that was paid cannot be paid again.
    public var billNumber: String

    /// Parameters of these parts.
    public init(card: MasterpassCard, billAmount: Double, merchantLogin: String, billNumber: String) {
        self.card = card
        self.billAmount = billAmount
        self.merchantLogin = merchantLogin
        self.billNumber = billNumber
    }

    /// - Returns: 2004 or 2017, or 2100 for an empty bill number; nil where nothing is wrong.
    public func validate() -> (any Error)? {
        Result { () throws(PortmoneError) in try checked() }.error
    }

    /// - Returns: the amount, exactly.
    func checked() throws(PortmoneError) -> MinorUnits {
        let amount = try MinorUnits(hryvnias: billAmount)
        guard !merchantLogin.isEmpty else { throw .merchantLoginEmpty }
        guard !billNumber.isEmpty else { throw .internal.with("billNumber cannot be empty") }
        return amount
    }
}
