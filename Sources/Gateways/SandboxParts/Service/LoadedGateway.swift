public import PayrelayPrimitives

/// A gateway that a load test pays at: its orders' currency, and where its sandbox has its books and its faults.
public struct LoadedGateway: Sendable, Equatable {
    /// As in a receipt's `processor`.
    public let name: String
    /// By which the relay finds its account.
    public let currency: Currency
    public let booksPath: String
    /// The member of an entry in the books that has the merchant reference.
    public let referenceMember: String
    public let faultsPath: String
    /// The fault that its answers alone can have.
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
