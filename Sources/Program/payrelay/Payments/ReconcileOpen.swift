import ApplePayToken
import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

struct ReconcileOpen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "List the payments that are still open.",
        discussion: """
            The relay queries the gateway about every open payment by itself until its outcome is known. This lists the payments whose \
            outcome is still open: by default those open for longer than PAYRELAY_OVERDUE_AFTER_SECONDS. It only reads the \
            journal, and may run beside the relay. To make the relay query the gateway at once, call \
            POST /v1/payments/{merchant_reference}/sync.

            Exit status: 0 nothing is listed, 1 something is.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "List every open payment, however short it has been open.")
    var all = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() async throws {
        let configuration = try options.configuration()
        let open: [Payment]
        do {
            open = try await configuration.journal.attach().openPayments(limit: Self.limit)
        } catch {
            throw failure("the journal cannot be read: \(error)", status: .no)
        }
        let now = Date()
        let listed = open.filter { payment in
            all || payment.openSince.map { now.timeIntervalSince($0) > configuration.overdueAfter.seconds } == true
        }
        for payment in listed { say(json ? payment.listing(at: now).text : payment.line(at: now)) }
        if open.count == Self.limit {
            FileHandle.standardError.write(Data("and more: only the first \(Self.limit) are listed\n".utf8))
        }
        if !listed.isEmpty { throw ExitCode(ExitStatus.no.rawValue) }
        if !json { say("nothing is \(all ? "open" : "overdue")") }
    }

    private static let limit = 1_000
}

extension Payment {
    fileprivate func listing(at now: Date) -> JSON {
        let since = openSince ?? now
        var listing: JSONObject = [
            PaymentField.merchantReference: .string(merchantReference),
            "open_since": .string(since.rfc3339),
            "open_seconds": JSON(Int(now.timeIntervalSince(since))),
            PaymentField.outcome: .string(state.rawValue), PaymentField.amount: JSON(amount),
            PaymentField.currency: .string(currency),
        ]
        listing["operation"] = openOperation.map { .string($0.command.rawValue) }
        listing["operation_amount"] = openOperation.map { JSON($0.amount) }
        return .object(listing)
    }

    fileprivate func line(at now: Date) -> String {
        let since = openSince ?? now
        let what =
            openOperation.map { operation in
                "\(operation.command.rawValue) of \(operation.amount.decimal(in: currency)) \(operation.state.rawValue)"
            } ?? state.rawValue
        let total = "\(amount.decimal(in: currency)) \(currency)"
        return "\(merchantReference.debugDescription) \(total), \(what) for \(Int(now.timeIntervalSince(since))) s"
    }
}

extension JSON {
    fileprivate var text: String { String(decoding: encoded(), as: UTF8.self) }
}

extension Duration {
    fileprivate var seconds: Double { milliseconds / 1_000 }
}
