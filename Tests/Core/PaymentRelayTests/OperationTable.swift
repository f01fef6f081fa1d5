import Foundation
import PayrelayPrimitives

@testable import PaymentRelay

/// The machine's decision for every event in every state of an open operation. The operation is a capture of half of the
/// authorized amount. The machine's tests show that other operations act alike.
struct OperationTable {
    static let half = StateTable.half

    static let events: [(name: String, event: SampleEvent)] =
        [("the relay stopped", .interrupted)]
        + [
            ("answer: not sent", .performed(.notSent(reason: ""))),
            ("answer: unanswered", .performed(.unknown(reason: ""))),
            ("answer: done", .performed(.answered(GatewayAnswer(.captured)))),
            ("answer: declined", .performed(.answered(GatewayAnswer(.declined)))),
            ("answer: pending", .performed(.answered(GatewayAnswer(.pending(reason: ""))))),
            ("answer: duplicate", .performed(.answered(GatewayAnswer(.duplicate)))),
            ("answer: not found", .performed(.answered(GatewayAnswer(.notFound)))),
            ("query: not sent", .queried(.notSent(reason: ""), timeUncertain: .zero)),
            ("query: unanswered", .queried(.unknown(reason: ""), timeUncertain: .zero)),
            (
                "query: in the totals",
                .queried(.totals(.captured, Balance(captured: half)), timeUncertain: .zero)
            ),
            ("query: not in the totals yet", notShown(.zero)),
            ("query: not in the totals after the time", notShown(StateTable.notFoundAfter)),
            ("query: not in the totals after 24 times as long", notShown(StateTable.notFoundAfter * 24)),
            ("query: no totals", .queried(.answered(GatewayAnswer(.notFound)), timeUncertain: .zero)),
            ("request: CAPTURE", .requested(.capture, amount: 1)),
        ]

    private static func notShown(_ time: Duration) -> SampleEvent {
        .queried(.totals(.authorized, Balance()), timeUncertain: time)
    }

    var markdown: String {
        let states = PaymentOperation.State.allCases.filter(\.isOpen)
        return MarkdownTable(
            head: ["input"] + states.map { "`\($0.rawValue)`" },
            rowsToMerge: Self.events.map { name, event in [name] + states.map { cell($0, event) } }
        ).text
    }

    private func cell(_ state: PaymentOperation.State, _ event: SampleEvent) -> String {
        var machine = SamplePayment(
            state: .authorized, amount: StateTable.amount,
            operation: .sample(.capture, Self.half, state), notFoundAfter: StateTable.notFoundAfter)
        let action = machine.handle(event)
        if machine.operation == nil { return "none" }
        let next = machine.operation?.state ?? state
        let payment = machine.state == .authorized ? "" : "; payment `\(machine.state.rawValue)`"
        return next == state ? action.word : "`\(next.rawValue)`\(payment)"
    }

    /// The transitions of a payment when an operation is done.
    static var edges: [(from: PaymentState, to: PaymentState, names: [String])] {
        var edges: [(from: PaymentState, to: PaymentState, names: [String])] = []
        for state in PaymentState.allCases {
            for command in OperationCommand.allCases {
                for (name, share) in [("", nil), ("part ", 1)] as [(String, MinorUnits?)] {
                    guard let next = after(command, of: share, on: state), next != state else { continue }
                    if share != nil, command == .voidAuthorization { continue }
                    edges.append((state, next, ["\(command.rawValue) \(name)done"]))
                }
            }
        }
        return edges
    }

    private static func after(_ command: OperationCommand, of share: MinorUnits?, on state: PaymentState)
        -> PaymentState?
    {
        var machine = SamplePayment(
            state: state, amount: StateTable.amount, balance: state.sampleBalance,
            notFoundAfter: StateTable.notFoundAfter)
        guard case .begin(let amount) = machine.handle(.requested(command, amount: share)) else { return nil }
        machine.operation = .sample(command, amount, .processing, before: machine.balance)
        _ = machine.handle(.performed(.answered(GatewayAnswer(command.success))))
        return machine.state
    }
}
