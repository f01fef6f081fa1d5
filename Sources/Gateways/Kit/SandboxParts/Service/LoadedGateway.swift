public import PayrelayPrimitives

/// The values with which a load test pays at a gateway: its currency, and the paths of its sandbox's books and
/// faults.
public struct LoadedGateway: Sendable, Equatable {
    /// The gateway's name, as in a receipt's `processor`.
    public let name: String
    /// The currency of the orders, by which the relay finds its account.
    public let currency: Currency
    public let booksPath: String
    /// The member with the merchant reference, in an entry of the books.
    public let referenceMember: String
    public let faultsPath: String
    /// A fault that only this gateway's answers can have.
    public let answerFault: String

    public init(
        name: String, currency: Currency, booksPath: String, referenceMember: String, faultsPath: String,
        answerFault: String
    ) {
        self.name = name
        self.currency = currency
        self.booksPath = booksPath
        self.referenceMember = referenceMember
        self.faultsPath = faultsPath
        self.answerFault = answerFault
    }
}
