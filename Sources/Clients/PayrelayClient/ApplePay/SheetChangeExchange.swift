#if canImport(PassKit) && !os(macOS)
import Foundation
import PassKit
import PayrelayPrimitives

/// The exchange about the changes in one sheet: queries the app about the changes that ``SheetChanges`` selects,
/// and passes the app's answers to the sheet.
// Safe: everything that changes is read and changed only under the lock, and the sheet only on the main thread.
// `Mutex` requires iOS 18.
nonisolated final class SheetChangeExchange: @unchecked Sendable {
    typealias AppAnswer = Result<SheetSession.Answer, OrderTokenFailure>

    private struct Change {
        let field: SheetSelection.Field
        /// PassKit's completion handler.
        let completion: (SheetAnswer) -> Void
        var limit: Task<Void, any Error>?
        /// The task that queries the app.
        var asking: Task<Void, Never>?
    }

    private let onChange: SheetChangeHandler
    private let limit: TimeLimit
    private let clock: any RelayClock
    private let lock = NSLock()
    private var selection = SheetSelection()
    private var changes: [Int: Change] = [:]
    private var count = 0
    @MainActor private var shown: ShownTotal
    @MainActor private var updates: [Int: SheetUpdate] = [:]

    @MainActor init(
        _ request: PKPaymentRequest, in currency: Currency, within limit: TimeLimit, _ clock: any RelayClock,
        _ onChange: @escaping SheetChangeHandler
    ) {
        shown = ShownTotal(request, in: currency)
        self.limit = limit
        self.clock = clock
        self.onChange = onChange
    }

    /// Records the customer's choice.
    ///
    /// - Parameter completion: called once, on the main thread.
    /// - Returns: the number of the change.
    func add(
        _ field: SheetSelection.Field, _ choose: (inout SheetSelection) -> Void,
        completion: @escaping (SheetAnswer) -> Void
    ) -> Int {
        lock.withLock {
            count += 1
            choose(&selection)
            changes[count] = Change(field: field, completion: completion)
            return count
        }
    }

    /// Starts the time limit of a change that has no answer yet.
    func limit(_ number: Int, whenLate tell: @escaping @Sendable (AppAnswer) -> Void) {
        let (clock, seconds) = (clock, limit.seconds)
        lock.withLock {
            changes[number]?.limit = Task {
                try await clock.sleep(seconds: seconds)
                tell(.failure(OrderTokenFailure(OrderTokenFault.timeout)))
            }
        }
    }

    /// Queries the app, with everything that the customer has chosen so far.
    func ask(_ number: Int, then tell: @escaping @Sendable (AppAnswer) -> Void) {
        lock.withLock {
            guard let change = changes[number] else { return }
            var selection = selection
            selection.changed = change.field
            let chosen = selection
            changes[number]?.asking = Task { @MainActor in
                do {
                    let update = try await onChange(chosen)
                    if let agreement = update.agreement { _ = try OrderTokenFault.checked(agreement.orderToken) }
                    updates[number] = update
                    tell(.success(update.agreement == nil ? .refused : .agreed))
                } catch {
                    tell(.failure(OrderTokenFailure(error)))
                }
            }
        }
    }

    /// Passes the app's answer to the sheet.
    ///
    /// - Returns: the amount and token that the app agreed to, if the sheet shows a new total; `nil` if the total
    ///   does not change.
    @MainActor func show(_ number: Int) -> SheetAgreement? {
        guard let change = take(number), let update = updates.removeValue(forKey: number) else { return nil }
        let answer = shown.apply(update)
        change.completion(answer)
        if !answer.newShippingMethods.isEmpty {
            lock.withLock { if !shown.offers(selection.shippingMethod) { selection.shippingMethod = nil } }
        }
        return update.agreement
    }

    /// Reports to the sheet that a change could not be made, if the change has no answer yet.
    @MainActor func reject(_ number: Int) {
        guard let change = take(number) else { return }
        change.asking?.cancel()
        change.completion(shown.rejection)
    }

    /// Removes and returns the change, so that each change is answered only once.
    private func take(_ number: Int) -> Change? {
        let change = lock.withLock { changes.removeValue(forKey: number) }
        change?.limit?.cancel()
        return change
    }
}
#endif
