import FoundationEssentials
import PayrelayPrimitives

/// Captures, voids and refunds that were not requested here: on the processor's own pages, for example.
///
/// The processor's totals count, and they come by a question alone.
extension Payment {
    /// How the reasons of such entries begin.
    static let elsewhere = "elsewhere:"

    /// Adopts the captures, voids and refunds that an answer to a question shows; nil where it shows nothing new. Totals never go
    /// back.
    func adopting(_ answer: ProcessorAnswer, at moment: Date) -> PaymentChange? {
        if answer.meaning == .voided, state == .authorized, !answer.showsMoney {
            return becoming(.voided, provenBy: answer, reason: Self.elsewhere + " voided", at: moment)
        }
        // What is voided beside captured money is the rest of the hold.
        guard [.captured, .refunded, .voided].contains(answer.meaning), let moved = answer.moved else {
            return nil
        }
        let forward = balance.forward(to: moved)
        guard forward != balance else { return nil }
        return holding(forward, provenBy: answer, reason: Self.elsewhere + " captured or refunded", at: moment)
    }
}

extension ProcessorAnswer {
    /// What was captured and refunded; nil where it does not say. That nothing was refunded may go unsaid.
    var moved: Balance? { totals ?? (meaning == .refunded ? nil : captured.map { Balance(captured: $0) }) }

    /// Whether something was captured, whatever the state that it names.
    var showsMoney: Bool { moved.map { $0.captured > .zero } ?? false }

    /// Whether it tells of a charge: of money that is held, or was captured.
    var isOfCharge: Bool {
        switch meaning {
        case .authorized, .captured, .refunded: true
        case .voided: showsMoney
        case .declined, .pending, .duplicate, .notFound: false
        }
    }
}
