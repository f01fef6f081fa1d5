import Foundation
import PayrelayPrimitives
import Testing

/// A comparison of the books of the sandbox's gateways, the relay's payments, and the answers to clients.
struct Audit {
    let relay: RunningRelay
    /// A text that is appended to every finding. If possible, it says how to replay the run.
    var note = ""

    /// Waits until no order is open, and then compares.
    func compare(_ answered: AnsweredOutcomes) async throws {
        var final: AnsweredOutcomes = [:]
        for reference in answered.keys {
            final[reference] = try await relay.finalOutcome(of: reference)
        }
        var books: [String: JSON] = [:]
        for gateway in TestedGateway.allCases {
            for entry in try await relay.sandbox.books(of: gateway) {
                guard let first = books.updateValue(entry, forKey: entry[gateway.referenceInBooks]?.stringValue ?? "")
                else { continue }
                Issue.record("two orders of one reference are in the books: \(first) \(entry). \(note)")
            }
        }
        for (reference, answered) in answered {
            compare(final[reference], answered: answered, entry: books[reference], reference)
        }
    }

    private func compare(_ outcome: String?, answered: String, entry: JSON?, _ reference: String) {
        let isCharged = entry?["charged"] == true
        switch outcome {
        case "captured": #expect(isCharged, "\(reference) is captured, and it is not charged. \(note)")
        case "declined", "not_processed":
            #expect(!isCharged, "\(reference) is \(outcome ?? ""), and it is charged. \(note)")
        default: Issue.record("\(reference) ended as \(outcome ?? "nothing"). \(note)")
        }
        // A final outcome in an answer does not change.
        if answered != "uncertain" { #expect(outcome == answered, "\(reference) was answered otherwise. \(note)") }
        if let entry {
            #expect(entry["charge_requests"] == 1, "\(reference) was sent more than once. \(note)")
        }
    }
}
