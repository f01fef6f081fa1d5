import Foundation
import Primitives
import Testing

/// Holds FORT's books, what the relay says of every order that was tried, and what callers were told against each other.
struct Audit {
    let relay: RunningRelay
    /// Said with every finding; what replays the run, where something does.
    var note = ""

    /// Waits until no order is open any more, and then compares.
    func compare(_ told: Told) async throws {
        var final: Told = [:]
        for reference in told.keys {
            final[reference] = try await relay.finalOutcome(of: reference, within: .seconds(60))
        }
        let orders = try await relay.sandbox.books().map { ($0["merchant_reference"]?.stringValue ?? "", $0) }
        let books = Dictionary(orders) { first, second in
            Issue.record("FORT has two orders of one reference: \(first) \(second). \(note)")
            return second
        }
        for (reference, told) in told {
            compare(final[reference], told: told, entry: books[reference], reference)
        }
    }

    private func compare(_ outcome: String?, told: String, entry: JSON?, _ reference: String) {
        let isCharged = entry?["charged"] == true
        switch outcome {
        case "captured": #expect(isCharged, "\(reference) is captured, and FORT has not charged it. \(note)")
        case "declined", "not_processed":
            #expect(!isCharged, "\(reference) is \(outcome ?? ""), and FORT has charged it. \(note)")
        default: Issue.record("\(reference) ended as \(outcome ?? "nothing"). \(note)")
        }
        // What was told once and was no "not yet" stands for ever.
        if told != "uncertain" { #expect(outcome == told, "\(reference) was told otherwise. \(note)") }
        if let entry {
            #expect(entry["charge_requests"] == 1, "\(reference) was sent to FORT more than once. \(note)")
        }
    }
}
