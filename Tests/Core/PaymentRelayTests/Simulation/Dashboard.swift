import JournalContract
import PaymentRelay
import PayrelayPrimitives

/// The merchant's use of FORT without the relay: captures and refunds in FORT's dashboard, and payments with FORT's SDK. The
/// relay learns of them by feedback.
struct Dashboard: Sendable {
    /// A reference with which no client of the relay pays.
    static let ofSDK = "SDK-1"
    /// The only order that FORT charges twice. Nothing else is done with it outside the relay.
    static let chargedTwice = "ORDER-3"
    /// The only order whose success FORT takes back. Nothing else is done with it outside the relay.
    static let takenBack = "ORDER-4"

    let host: RelayHost
    let references: [String]
    /// Orders that may be paid externally, by reference. Clients of the relay who pay such a reference pay the same order.
    let payable: [String: Order]
    /// Some amounts that no merchant uses, and some that merchants use as well.
    private static let amounts: [MinorUnits] = [7, 11, 1_000, 2_000]

    private var world: SimulatedWorld { host.world }

    func work() async {
        await withTaskGroup { group in
            group.addTask { await maintain() }
            group.addTask { await repeatAnOperation() }
            group.addTask { await pay() }
            group.addTask { await chargeAgain() }
            group.addTask { await takeBack() }
        }
    }

    private func maintain() async {
        guard world.chance.happens(0.3) else { return }
        for amount in Self.amounts {
            await world.pause(milliseconds: 0...120_000)
            let reference = references[world.chance.number(in: 0...references.count - 1)]
            guard ![Self.chargedTwice, Self.takenBack].contains(reference) else { continue }
            host.fort.maintainElsewhere(reference, world.chance.happens(0.5) ? .capture : .refund, amount)
        }
    }

    /// Repeats in the dashboard an operation that was done or declined through the relay: only FORT's totals distinguish the
    /// two.
    private func repeatAnOperation() async {
        guard world.chance.happens(0.3) else { return }
        await world.pause(milliseconds: 60_000...240_000)
        let reference = references[world.chance.number(in: 0...references.count - 1)]
        guard ![Self.chargedTwice, Self.takenBack].contains(reference),
            let operation = await host.disk.payment(reference)?.operations.last,
            operation.command != .voidAuthorization
        else { return }
        host.fort.maintainElsewhere(reference, operation.command, operation.amount)
    }

    private func pay() async {
        for (_, order) in payable.sorted(by: { $0.key < $1.key }) where world.chance.happens(0.2) {
            await world.pause(milliseconds: 0...90_000)
            host.fort.payElsewhere(order)
        }
    }

    /// Takes a charge back, once the relay knows the charge.
    private func takeBack() async {
        guard references.contains(Self.takenBack), world.chance.happens(0.3) else { return }
        await world.pause(milliseconds: 0...120_000)
        guard let payment = await host.disk.payment(Self.takenBack), payment.state == .captured, !payment.isOpen,
            payment.gatewayReference != nil
        else { return }
        host.fort.takeBack(Self.takenBack)
    }

    /// Charges the order a second time, once the relay knows the first charge.
    private func chargeAgain() async {
        guard references.contains(Self.chargedTwice), world.chance.happens(0.3) else { return }
        await world.pause(milliseconds: 0...120_000)
        guard let payment = await host.disk.payment(Self.chargedTwice), payment.isChargedWithoutOperation else {
            return
        }
        host.fort.chargeAgain(Self.chargedTwice)
    }
}

extension Payment {
    /// Whether the relay knows the payment's charge, and no operation of the payment is under way.
    var isChargedWithoutOperation: Bool {
        [.captured, .partiallyRefunded].contains(state) && !isOpen && gatewayReference != nil
    }
}
