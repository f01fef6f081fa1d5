import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayPrimitives

struct EventsResend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Send events to the merchant's backend again.",
        discussion: """
            Without arguments: the events that are dead-lettered, because the backend refused them for too long. With references: every event of these payments. \
            With --since: every event that happened then or later, of these payments or of all. The relay sends them by \
            itself within a second, in order for each payment, with the identifiers that they had before; this only writes \
            to the journal, and may run beside the relay.

            Exit status: 0 everything asked for is on its way, 1 a payment is not known or has no such event.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "A date, 2026-01-31, or a moment, 2026-01-31T09:00:00Z. A date begins at midnight UTC.")
    var since: DayOrMoment?

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "The payments' merchant_reference.")
    var merchantReferences: [String] = []

    func run() async throws {
        let configuration = try options.configuration()
        guard configuration.events != nil else {
            throw failure("PAYRELAY_EVENTS_URL is not set, so no event is sent", status: .configuration)
        }
        do {
            let journal = try await configuration.journal.attach()
            try await merchantReferences.isEmpty ? resendAll(of: journal) : resend(merchantReferences, of: journal)
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw failure("not everything could be sent again: \(error)", status: .no)
        }
    }

    private func resendAll(of journal: any Journal) async throws {
        if let since {
            report(
                try await journal.resendEvents(since: since.start(), at: Date()), "payments whose events are sent again"
            )
        } else {
            report(
                try await journal.resendDeadLetteredEvents(at: Date()),
                "dead-lettered payments that are taken up again")
        }
    }

    private func report(_ payments: Int, _ what: String, unknown: [String] = [], withoutEvent: [String] = []) {
        guard json else { return say("\(what): \(payments)") }
        let result: JSONObject = [
            "payments": JSON(payments), "unknown": .array(unknown.map { .string($0) }),
            "without_event": .array(withoutEvent.map { .string($0) }),
        ]
        say(JSON.object(result).terminalText)
    }

    private func resend(_ references: [String], of journal: any Journal) async throws {
        var (unknown, withoutEvent): ([String], [String]) = ([], [])
        for reference in references {
            let isResent = try await journal.resendEvents(
                of: reference, since: since?.start() ?? .distantPast, at: Date())
            if isResent { continue }
            let isKnown = try await journal.payment(reference) != nil
            if isKnown {
                withoutEvent.append(reference)
            } else {
                unknown.append(reference)
            }
        }
        report(
            references.count - unknown.count - withoutEvent.count, "payments whose events are sent again",
            unknown: unknown, withoutEvent: withoutEvent)
        let period = since.map { " since \($0.start().rfc3339)" } ?? ""
        let reasons = [("no such payment", unknown), ("no event\(period) of", withoutEvent)]
            .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.map(\.debugDescription).joined(separator: ", "))" }
        guard reasons.isEmpty else { throw failure(reasons.joined(separator: "\n"), status: .no) }
    }
}

/// A day or a moment on the command line (RFC 3339).
enum DayOrMoment: ExpressibleByArgument {
    case day(CalendarDay)
    case moment(Date)

    init?(argument: String) {
        if let day = CalendarDay(parsing: argument) {
            self = .day(day)
        } else if argument.has("T"), let moment = try? Date(argument, strategy: .iso8601) {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    /// Returns the moment, or the beginning of the day.
    ///
    /// - Parameter zone: the offset by which a day begins at midnight.
    func start(at zone: UTCOffset = .utc) -> Date {
        switch self {
        case .day(let day): day.start(at: zone)
        case .moment(let moment): moment
        }
    }
}
