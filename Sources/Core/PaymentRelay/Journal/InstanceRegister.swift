public import FoundationEssentials

/// The register of the service's instances that share a journal. It decides nothing about money. It serves to
/// divide limits that the merchant has as a whole, such as the number of requests that a gateway accepts at once.
public protocol InstanceRegister: Sendable {
    /// Records that an instance is alive at `moment`, and removes instances that were not alive within a day of it.
    ///
    /// - Parameter instance: a name that no other process has.
    func note(_ instance: String, at moment: Date) async throws(JournalError)

    /// Removes an instance that stops, so that the others need not wait until it counts as dead.
    func forget(_ instance: String) async throws(JournalError)

    /// Returns how many instances are alive: those recorded within 15 seconds before or after `moment`. A time
    /// after it comes from a clock that is fast.
    func alive(at moment: Date) async throws(JournalError) -> Int
}
