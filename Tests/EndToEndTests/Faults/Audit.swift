import Foundation
import PayrelayPrimitives
import Testing

/// Compares FORT's books, the relay's payments, and the answers that clients got.
struct Audit {
    let relay: RunningRelay
    /// Appended to every finding; replays the run, if possible.
    var note = ""

    /// Waits until no order is open any more, and then compares.
    func compare(_ answered: AnsweredOutcomes) async throws {
        var final: AnsweredOutcomes = [:]
        for reference in answered.keys {
            final[reference] = try await relay.finalOutcome(of: reference, within: .seconds(60))
        }
        let orders = try await relay.sandbox.books().map { ($0["merchant_reference"]?.stringValue ?? "", $0) }
        let books = Dictionary(orders) { first, second in
            Issue.record("FORT has two orders of one reference: \(first) \(second). \(note)")
            return second
        }
        for (reference, answered) in answered {
            compare(final[reference], answered: answered, entry: books[reference], reference)
        }
    }

    private func compare(_ outcome: String?, answered: String, entry: JSON?, _ reference: String) {
        let isCharged = entry?["charged"] == true
        switch outcome {
        case "captured": #expect(isCharged, "\(reference) is captured, and FORT has not charged it. \(note)")
        case "declined", "not_processed":
            #expect(!isCharged, "\(reference) is \(outcome ?? ""), and FORT has charged it. \(note)")
        default: Issue.record("\(reference) ended as \(outcome ?? "nothing"). \(note)")
        }
        // A final outcome in an answer does not change.
        if answered != "uncertain" { #expect(outcome == answered, "\(reference) was answered otherwise. \(note)") }
        if let entry {
            #expect(entry["charge_requests"] == 1, "\(reference) was sent to FORT more than once. \(note)")
        }
    }
}
