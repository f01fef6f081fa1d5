import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayPrimitives
import RelayServer

struct EventsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a payment's events and the attempts to deliver them.",
        discussion: """
            What GET /v1/payments/{merchant_reference}/events answers, with how a backend answered that did not acknowledge. The newest \
            \(DeliveryAttempt.kept) attempts of each event are kept. It only reads the journal, and may run beside the relay.

            Exit status: 0 every event is acknowledged, 1 one is not, or there is no such payment.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(help: "The payment's merchant_reference.")
    var merchantReference: String

    func run() async throws {
        let configuration = try options.configuration()
        let payment: Payment?
        let events: [EventView]
        do {
            let journal = try await configuration.journal.attach()
            payment = try await journal.payment(merchantReference)
            events = try await journal.events(of: merchantReference)
        } catch {
            throw failure("the events cannot be read: \(error)", status: .no)
        }
        guard payment != nil else {
            throw failure("there is no payment \(merchantReference.debugDescription)", status: .no)
        }
        if json {
            let shown: JSONObject = [
                "merchant_reference": .string(merchantReference),
                "events": .array(events.map { $0.json(withAnswers: true) }),
            ]
            say(JSON.object(shown).terminalText)
        } else if events.isEmpty {
            say("it has no event")
        } else {
            for event in events { event.lines.forEach { say($0.terminalText) } }
        }
        guard events.allSatisfy({ $0.state == .acknowledged }) else { throw ExitCode(ExitStatus.no.rawValue) }
    }
}

extension EventView {
    /// The event, with a line for each delivery attempt.
    fileprivate var lines: [String] {
        let left = attempts.count - attempts.newest.count
        let next = nextAt.map { ", next at \($0.rfc3339InMilliseconds)" } ?? ""
        var lines = [
            "\(occurredAt.rfc3339InMilliseconds)  \(type ?? "unreadable")  \(identifier)  \(state.rawValue)\(next)"
        ]
        if left > 0 { lines.append("  \(left.counting("earlier attempt"))") }
        for attempt in attempts.newest { lines += attempt.lines.map { "  " + $0 } }
        return lines
    }
}

extension DeliveryAttempt {
    fileprivate var lines: [String] {
        let answered = status.map { "\($0)" } ?? error ?? ""
        let line = "\(at.rfc3339InMilliseconds)  \(result.rawValue)  \(answered)  \(milliseconds) ms  \(endpoint)"
        let excerpt = (answer ?? "").lines.filter { !$0.isEmpty }.map { "  | \($0)" }
        return [line] + excerpt
    }
}
