import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

@testable import PaymentRelay

/// `docs/events.md` lists every possible type of event and no other.
@Suite struct EventsDocumentTests {
    @Test func listsEveryTypeThatTheMachineCanBringAboutAndNoOther() throws {
        let document = Project.url("docs/events.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Event types\n") })
        let cells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|")[0] }
        let listed = cells.flatMap { cell in
            cell.split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
        }
        #expect(Set(listed) == Self.types && Set(listed).count == listed.count, "\(Self.types.sorted())")
    }

    private static let types: Set<String> = {
        var types: Set<String> = []
        func collect(_ payment: Payment, _ event: SampleEvent) {
            guard let input = event.input(on: payment),
                case .record(let change) = payment.apply(
                    input, on: .at(Date()),
                    patience: NotFoundPatience(charge: StateTable.notFoundAfter, operation: StateTable.notFoundAfter))
            else { return }
            let json = change.event.flatMap { try? JSON(parsing: $0) }
            if let type = json?["type"]?.stringValue { types.insert(type) }
        }
        for state in PaymentState.allCases {
            let payment = payment(state)
            for (_, event) in StateTable.events { collect(payment, event) }
            for command in OperationCommand.allCases {
                for open in PaymentOperation.State.allCases where open.isOpen {
                    var busy = payment
                    busy.operations = [.sample(command, OperationTable.half, open, before: payment.balance)]
                    for event in OperationTable.events.map(\.event) { collect(busy, event) }
                    collect(busy, .performed(.answered(GatewayAnswer(command.success))))
                    collect(busy, .queried(.totals(.authorized, Balance()), timeUncertain: .seconds(86_400)))
                    collect(busy, .queried(.totals(.captured, payment.balance), timeUncertain: .seconds(86_400)))
                }
            }
        }
        return types
    }()

    private static func payment(_ state: PaymentState) -> Payment {
        Payment(
            merchantReference: "A", command: .authorization, amount: StateTable.amount, currency: "AED",
            fingerprint: RequestFingerprint(bytes: []), appleTransactionIdentifier: "ab", claimedAt: Date(),
            gateway: "fort", state: state, balance: state.sampleBalance,
            gatewayReference: state.hasMoney ? "1" : nil)
    }
}
