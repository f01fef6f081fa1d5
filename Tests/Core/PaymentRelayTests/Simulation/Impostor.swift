import PayrelayPrimitives

@testable import PaymentRelay

/// A sender of signed feedback about events that did not happen. The feedback comes from another account of the merchant, or a
/// client made it from a genuine message by moving its names.
struct Impostor: Sendable {
    /// An account without an order at FORT.
    static let account = "other"

    let host: RelayHost
    let references: [String]

    private var world: SimulatedWorld { host.world }

    func work() async {
        guard world.chance.happens(world.rates.hostileFeedback) else { return }
        for _ in 0..<world.chance.number(in: 1...6) {
            await world.pause(milliseconds: 0...60_000)
            let hint = message(about: references[world.chance.number(in: 0...references.count - 1)])
            world.note("impostor: \(hint.account), \(hint.subject), \(hint.statement)")
            Feedback(host: host).deliver(hint)
        }
    }

    private func message(about reference: String) -> GatewayHint {
        let command: Order.Command = reference == "ORDER-1" ? .authorization : .purchase
        let amounts: [MinorUnits?] = [10_000, 20_000, 500, .zero, 9_999_999_999, nil]
        let commands = OperationCommand.allCases
        let operation = commands[world.chance.number(in: 0...commands.count - 1)]
        let isAboutCharge = world.chance.happens(0.5)
        let charged: GatewayHint.Statement = command == .authorization ? .authorized : .captured
        let statement = isAboutCharge ? charged : operation.successStatement
        return GatewayHint(
            account: world.chance.happens(0.5) ? Self.account : "main", merchantReference: reference,
            subject: isAboutCharge ? .charge(command) : .operation(operation),
            statement: world.chance.happens(0.7) ? statement : .declined,
            amount: amounts[world.chance.number(in: 0...amounts.count - 1)], currency: "AED",
            gatewayReference: world.chance.happens(0.3) ? "fort-\(world.chance.number(in: 900...999))" : nil)
    }
}
