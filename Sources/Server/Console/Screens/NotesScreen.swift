import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// The notes that operators leave on a payment for each other, and the operator to whom the payment is assigned.
struct NotesScreen: Sendable {
    let relay: PaymentRelay

    /// The maximum number of notes on a payment's page; the newest are shown.
    static let shown = 50

    var screens: [Screen] {
        [
            Screen(.post, "/console/payment/note", .writeNote, respond: write),
            Screen(.post, "/console/payment/take", .takePayment) { request in
                try await answer(request, "You have taken it.") { reference async throws in
                    try await relay.take(reference, by: request.operatorRequest)
                }
            },
            Screen(.post, "/console/payment/release", .takePayment) { request in
                try await answer(request, "It is released.") { reference async throws in
                    try await relay.release(reference, by: request.operatorRequest)
                }
            },
        ]
    }

    /// Returns the notes in a payment's history, the newest first.
    static func notes(in history: [HistoryEntry]) -> [View] {
        history.reversed().filter { $0.note != nil }.prefix(shown).map { entry in
            ["text": View(entry.note), "name": View(entry.operatorName), "at": View(entry.at)]
        }
    }

    @Sendable private func write(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let note: OperatorNote
        do throws(OperatorNoteError) {
            note = try OperatorNote(request.form["note"] ?? "")
        } catch {
            switch error {
            case .empty: throw ConsoleError.invalid("The note has no text. Nothing was written.")
            case .tooLong:
                throw ConsoleError.invalid("A note may have \(OperatorNote.limit) characters. Nothing was written.")
            }
        }
        return try await answer(request, "The note is written.") { reference async throws in
            try await relay.write(note, on: reference, by: request.operatorRequest)
        }
    }

    /// Makes the change and returns to the page with the form.
    private func answer(
        _ request: ScreenRequest, _ done: String, _ mark: (_ reference: String) async throws -> MarkedPayment?
    ) async throws -> ConsoleAnswer {
        let reference = try request.reference()
        let notice =
            switch try await mark(reference) {
            case nil: throw ConsoleError.noPayment(reference)
            case .notPermitted: throw ConsoleError.notPermitted(request.role, .takePayment)
            case .done: Notice(text: done, tone: "good")
            case .takenByAnother(let name):
                Notice(
                    text: "Nothing was done: \(name) has taken it, and can release it, or the role finance.",
                    tone: "open")
            case .requestUnderWay:
                Notice(
                    text: "Nothing was done: a request about the payment is on its way. Try again in a moment.",
                    tone: "open")
            }
        let isOfList = request.form["list"] == "attention"
        return .redirect(to: isOfList ? Links.start : Links.payment(reference), notice: notice)
    }
}
