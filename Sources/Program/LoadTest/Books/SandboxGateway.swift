public import PayrelayPrimitives

/// A gateway of a sandbox that a run pays at: its orders' currency, and where the sandbox has its books and its faults.
public struct SandboxGateway: Sendable, Equatable {
    /// As in a receipt's `processor`.
    public let name: String
    /// By which the relay finds its account.
    public let currency: Currency
    let booksPath: String
    /// The member of an entry in the books that has the merchant reference.
    let referenceMember: String
    let faultsPath: String
    /// The fault that its answers alone can have.
    let answerFault: String

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
