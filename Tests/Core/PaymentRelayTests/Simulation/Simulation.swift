import ApplePayToken
import JournalContract
import PaymentRelay
import PayrelayPrimitives

/// One schedule of requests, faults and crashes, drawn completely from one seed: the real ``PaymentRelay`` and ``Reconciler``
/// in a simulated world. The same seed gives the same course.
struct Simulation {
    let seed: UInt64
    /// The mistake that is made on purpose.
    var bug: PlantedBug?
    var scale = Scale.minutes

    /// The size of a simulation.
    struct Scale {
        let faultsEnd: Duration
        /// The time in which customers come, in milliseconds.
        let opens: ClosedRange<Int>
        let orders: ClosedRange<Int>
        let customers: ClosedRange<Int>
        /// The possible numbers of instances. A short simulation mostly has one: several instances share its few steps.
        let instances: [Int]

        /// A few minutes, in which one event meets the next.
        static let minutes = Scale(
            faultsEnd: .seconds(240), opens: 0...0, orders: 1...6, customers: 1...16,
            instances: [1, 1, 1, 1, 1, 2, 3])
        /// A whole day, with hundreds of failovers and crashes.
        static let day = Scale(
            faultsEnd: .seconds(86_400), opens: 0...86_000_000, orders: 300...300, customers: 600...600,
            instances: [3])
    }

    struct Report {
        let trace: [String]
        let findings: [String]
    }

    func run() throws -> Report {
        let world = SimulatedWorld(seed: seed, faultsEnd: scale.faultsEnd)
        let host = RelayHost(world: world, bug: bug)
        let customers = try customers(of: host)
        let references = Set(customers.map(\.reference)).sorted()
        let merchants = merchants(of: references, host)
        let feedback = Feedback(host: host)
        let dashboard = Dashboard(host: host, references: references, payable: payable(among: customers))
        let impostor = Impostor(host: host, references: references)
        world.start {
            await host.keepRunning {
                world.start { await host.run(scale.instances[world.chance.number(in: 0...scale.instances.count - 1)]) }
                world.start {
                    await host.primary.work { failed in
                        guard let bug, bug.lag > .zero else { return }
                        await host.disk.lose(claimedSince: world.timeline.date(of: failed - bug.lag))
                    }
                }
                host.fort.tell { feedback.deliver($0) }
                await withTaskGroup { group in
                    for customer in customers { group.addTask { await customer.shop() } }
                    for merchant in merchants { group.addTask { await merchant.work() } }
                    group.addTask { await dashboard.work() }
                    group.addTask { await impostor.work() }
                }
            }
        }
        // Requests that are still on their way to FORT arrive before the books are compared.
        world.run()

        world.start {
            let audit = Audit(
                books: host.fort.books, disk: host.disk, acknowledgedEvents: host.backend.events,
                receivedAnswers: host.receivedAnswers,
                receivedOperationAnswers: host.receivedOperationAnswers, references: references + [Dashboard.ofSDK])
            for finding in await audit.findings() { world.found(finding) }
        }
        world.run()
        return Report(trace: world.trace, findings: world.findings)
    }

    private func customers(of host: RelayHost) throws -> [Customer] {
        let chance = host.world.chance
        let orders = chance.number(in: scale.orders)
        return try (1...chance.number(in: scale.customers)).map { number in
            let order = chance.number(in: 1...orders)
            let isOwnToken = chance.happens(0.8)
            let token = try PaymentToken.unsigned(isOwnToken ? order : chance.number(in: 1...orders))
            return Customer(
                name: "C\(number)", reference: "ORDER-\(order)", opens: chance.duration(in: scale.opens),
                // One order in six is a recurring payment with a stored card.
                token: order == 6 ? nil : token,
                amount: chance.happens(0.85) ? 10_000 : 20_000,
                command: order == 1 ? .authorization : .purchase, host: host)
        }
    }

    /// Returns the orders that may be paid externally: references with which every customer pays the same amount, and one
    /// reference with which no customer pays.
    private func payable(among customers: [Customer]) -> [String: Order] {
        var payable = [Dashboard.ofSDK: Order.sample(Dashboard.ofSDK)]
        for (reference, customers) in Dictionary(grouping: customers, by: \.reference)
        where reference != Dashboard.chargedTwice && customers.allSatisfy({ $0.amount == 10_000 }) {
            payable[reference] = Order.sample(reference, customers[0].command)
        }
        return payable
    }

    private func merchants(of references: [String], _ host: RelayHost) -> [Merchant] {
        let references = references.filter { $0 != Dashboard.takenBack }
        guard host.world.chance.happens(0.7), !references.isEmpty else { return [] }
        return (1...host.world.chance.number(in: 1...5)).map { number in
            let reference = references[host.world.chance.number(in: 0...references.count - 1)]
            return Merchant(name: "M\(number)", reference: reference, host: host)
        }
    }
}
