import PayrelayPrimitives

@testable import PaymentRelay

/// Messages that are signed, and that must not count: those of another of the merchant's accounts, and those whose
/// numbers cannot be true of the payment.
struct Impostor: Sendable {
    /// FORT has no order of this account.
    static let account = "other"

    let host: RelayHost
    let references: [String]

    private var world: SimulatedWorld { host.world }

    func work() async {
        guard world.chance.happens(world.rates.hostileFeedback) else { return }
        for _ in 0..<world.chance.number(in: 1...6) {
            await world.pause(milliseconds: 0...60_000)
            let notification = message(about: references[world.chance.number(in: 0...references.count - 1)])
            world.note("impostor: \(notification.account), \(notification.subject), \(notification.answer.meaning)")
            Feedback(host: host).deliver(notification)
        }
    }

    private func message(about reference: String) -> ProcessorNotification {
        let (subject, meaning) = subject()
        let command: Order.Command = reference == "ORDER-1" ? .authorization : .purchase
        let isOther = world.chance.happens(0.5)
        let amounts: [MinorUnits?] = isOther ? [10_000, 20_000, 500, nil] : [.zero, 9_999_999_999, 10_001, nil]
        let amount = amounts[world.chance.number(in: 0...3)]
        // Of its own account a message without an amount says that one is there and cannot be read.
        return ProcessorNotification(
            account: isOther ? Self.account : "main", merchantReference: reference,
            subject: subject ?? .charge(command), amount: amount, currency: "AED",
            answer: ProcessorAnswer(
                meaning: subject == nil && command == .authorization ? .authorized : meaning,
                unreadableNumber: !isOther && amount == nil ? "amount" : nil, summary: ["answer": 0], response: [:]))
    }

    /// - Returns: nil for the charge.
    private func subject() -> (ProcessorNotification.Subject?, ProcessorAnswer.Meaning) {
        let commands = OperationCommand.allCases
        guard world.chance.happens(0.5) else { return (nil, .captured) }
        let command = commands[world.chance.number(in: 0...commands.count - 1)]
        return (.operation(command, maintenanceReference: nil), command.success)
    }
}
