import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayPrimitives
import RelayServer

struct PaymentsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a payment with its history.",
        discussion: """
            What GET /v1/payments/{merchant_reference} answers, and of an archived payment what its month's file has. It only reads, and may \
            run beside the relay.

            Exit status: 0 shown, 1 there is no such payment, or its record cannot be read.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(help: "The directory of the archive. (default: PAYRELAY_ARCHIVE_DIRECTORY)", completion: .directory)
    var archive: String?

    @Argument(help: "The payment's merchant_reference.")
    var merchantReference: String

    func run() async throws {
        let configuration = try options.configuration()
        let recorded: RecordedPayment?
        do {
            recorded = try await RecordedPayment(
                merchantReference, in: configuration.journal.attach(),
                archive: archive.map { PaymentArchive(directory: $0) } ?? configuration.archive)
        } catch {
            throw failure("the payment cannot be read: \(error)", status: .no)
        }
        guard let recorded else {
            throw failure("there is no payment \(merchantReference.debugDescription)", status: .no)
        }
        recorded.say(asJSON: json)
    }
}

/// A payment with its history and queries.
struct RecordedPayment {
    let payment: Payment
    private let history: [HistoryEntry]
    private let queries: [QueryWithoutChange]

    /// Why only the journal's part of the payment is available; `nil` if it is complete.
    private let incomplete: String?

    /// Returns `nil` if the journal has no payment with the reference.
    init?(_ merchantReference: String, in journal: any Journal, archive: PaymentArchive?) async throws(JournalError) {
        guard let payment = try await journal.payment(merchantReference) else { return nil }
        if let month = payment.archiveMonth {
            do {
                guard let archive else { throw NoArchiveDirectory() }
                (self.payment, history, queries) = try await archive.whole(payment, in: journal)
                incomplete = nil
                return
            } catch {
                incomplete = "archived in \(month), and not all is shown: \(error)"
            }
        } else {
            incomplete = nil
        }
        self.payment = payment
        history = try await journal.history(of: merchantReference)
        queries = try await journal.queriesWithoutChange(of: merchantReference)
    }

    /// Prints the payment's current state.
    func say(asJSON: Bool) {
        let view = payment.view(with: history, queries: queries)
        if let incomplete { FileHandle.standardError.write(Data((incomplete.terminalText + "\n").utf8)) }
        guard !asJSON else { return CommandLineParts.say(JSON.object(view).terminalText) }
        let elsewhere = ["processor_response", "history", "operations", ResolvedByHand.member]
        let shown = view.members.filter { !elsewhere.contains($0.name) }
        var facts = TextTable()
        func line(_ name: String, _ text: String) { facts.add(name, text) }
        for member in shown {
            switch member.value {
            case .string(let text): line(member.name, text)
            case .number(let digits) where member.name.ends(with: "amount"):
                let amount = MinorUnits(parsing: digits)?.decimal(in: payment.currency) ?? digits
                line(member.name, "\(amount) \(payment.currency)")
            default: line(member.name, String(decoding: member.value.encoded(), as: UTF8.self))
            }
        }
        if let resolution = payment.resolution(in: history) {
            let name = resolution.operatorName ?? ""
            let words = "on \(resolution.at.rfc3339InMilliseconds), by \(name)"
            line("settled by hand", words + (resolution.note.map { ": \($0)" } ?? ""))
        }
        if let client = payment.client { line("client", client) }
        if let account = payment.account { line("account", account) }
        CommandLineParts.say(facts)
        CommandLineParts.say()
        let excerpt = HistoryExcerpt(of: history)
        if excerpt.omitted > 0 {
            CommandLineParts.say("\(excerpt.omitted) entries after the first \(HistoryExcerpt.first) are not shown")
        }
        for entry in excerpt.entries {
            let times = entry.since.map { "\(entry.times) times since \($0.rfc3339InMilliseconds)" } ?? ""
            let words = [entry.at.rfc3339InMilliseconds, entry.state.rawValue, entry.origin, entry.reason ?? "", times]
            CommandLineParts.say(words.filter { !$0.isEmpty }.map(\.terminalText).joined(separator: "  "))
            for query in queries where query.afterEntry == entry.number {
                CommandLineParts.say("  " + query.line.terminalText)
            }
        }
    }
}

extension HistoryEntry {
    /// The source of the entry; empty if it is not known.
    fileprivate var origin: String {
        let name = operatorName
        return switch source {
        case nil: name.map { "by operator \($0)" } ?? ""
        case .client(let client): "by client" + (client.map { " \($0)" } ?? "")
        case .operator(let name): "by operator \(name)"
        case .gatewayAnswer:
            (state.isOpen || state == .notSent ? "request to the gateway" : "the gateway's answer")
                + (name.map { " for operator \($0)" } ?? "")
        case .checkStatus(let requester): "CHECK_STATUS by \(requester.words)"
        case .recovery: "recovery"
        case .retention: "retention"
        case .commandLine: "by command"
        }
    }
}

extension StatusRequester {
    fileprivate var words: String {
        switch self {
        case .reconciler: "the relay"
        case .client(let name): "client" + (name.map { " \($0)" } ?? "")
        case .operator(let name): "operator \(name)"
        case .commandLine: "command"
        case .report: "reconcile report"
        case .notification(let kind): "the relay, after the gateway's \(kind.rawValue) feedback"
        }
    }
}

extension QueryWithoutChange {
    fileprivate var line: String {
        let span =
            times == 1
            ? "once, at \(last.rfc3339InMilliseconds)"
            : "\(times) times, \(first.rfc3339InMilliseconds) to \(last.rfc3339InMilliseconds)"
        let said =
            switch answer {
            case .open: "still open"
            case .unchanged: "nothing new"
            case .unanswered: "no answer"
            case .implausible: "an answer that proves nothing"
            case .contradictory: "an answer that settles nothing and needs an operator"
            case .notSent: "nothing was sent"
            }
        return "CHECK_STATUS by \(requester.words) \(span): \(said)" + (reason.map { ", \($0)" } ?? "")
    }
}
