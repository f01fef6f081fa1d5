import PayrelayPrimitives
import PaymentRelay

/// FORT's dashboard, where a merchant sometimes captures or refunds a little by hand. The relay is notified by
/// feedback.
struct Dashboard: Sendable {
    let host: RelayHost
    let references: [String]
    /// No merchant asks for such an amount, so that it cannot be mistaken for an operation of the relay.
    private static let amounts: [MinorUnits] = [7, 11]

    func work() async {
        guard host.world.chance.happens(0.2) else { return }
        for amount in Self.amounts {
            await host.world.pause(milliseconds: 0...120_000)
            let reference = references[host.world.chance.number(in: 0...references.count - 1)]
            host.fort.maintainElsewhere(reference, host.world.chance.happens(0.5) ? .capture : .refund, amount)
        }
    }
}
