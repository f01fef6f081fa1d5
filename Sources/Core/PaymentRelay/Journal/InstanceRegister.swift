public import FoundationEssentials
import PayrelayPrimitives

/// Knows how many instances of the service work on one journal. It decides nothing about money: what is the merchant's as a whole, such as
/// how many requests a gateway takes, is divided by it.
public protocol InstanceRegister: Sendable {
    /// Notes that an instance was alive then, and forgets those that have not been for a day.
    ///
    /// - Parameter instance: a name that no other process has.
    func note(_ instance: String, at moment: Date) async throws(JournalError)

    /// Forgets an instance that stops, so that the others need not wait for its silence.
    func forget(_ instance: String) async throws(JournalError)

    /// How many instances have been alive since then.
    func instances(aliveSince moment: Date) async throws(JournalError) -> Int
}

extension InstanceRegister {
    /// How many instances are alive: those that were noted within the last 15 seconds.
    public func alive(at moment: Date) async throws(JournalError) -> Int {
        try await instances(aliveSince: moment - .seconds(15))
    }
}
