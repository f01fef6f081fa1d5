public import FoundationEssentials

/// Knows how many instances of the service work on one journal. It decides nothing about money: what is the merchant's as a whole, such as
/// how many requests a gateway takes, is divided by it.
public protocol InstanceRegister: Sendable {
    /// Notes that an instance was alive then, and forgets those that were not within a day of it.
    ///
    /// - Parameter instance: a name that no other process has.
    func note(_ instance: String, at moment: Date) async throws(JournalError)

    /// Forgets an instance that stops, so that the others need not wait for its silence.
    func forget(_ instance: String) async throws(JournalError)

    /// How many instances are alive: those that were noted within 15 seconds of the moment, before it or, by a clock that is fast, after it.
    func alive(at moment: Date) async throws(JournalError) -> Int
}
