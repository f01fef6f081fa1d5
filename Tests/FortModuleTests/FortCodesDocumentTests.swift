import FortAPI
import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

/// Holds docs/fort-codes.md against the table of codes, and against what the relay makes of an answer. `make fort-codes` writes the page.
@Suite struct FortCodesDocumentTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/fort-codes.md")

    @Test("The page of FORT's codes says of each what the code's table says, and what the relay makes of it")
    func thePageIsTheTable() async throws {
        let current = try await Self.page()
        if ProcessInfo.processInfo.environment["PAYRELAY_WRITE_FORT_CODES"] != nil {
            try Data(current.utf8).write(to: Self.document)
        } else {
            let text = try String(contentsOf: Self.document, encoding: .utf8)
            #expect(text == current, "docs/fort-codes.md is not up to date: run `make fort-codes`")
        }
    }

    @Test("Every code that the page names is found there by an anchor")
    func everyCodeHasAnAnchor() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        for message in FortCode.messages.keys { #expect(text.contains("\n### \(message)\n"), "\(message)") }
        for code in ["14000", "02000", "12036", "00008", "13666", "03666", "15777", "00040", "05048"] {
            #expect(text.contains("<a id=\"\(code)\"></a>"), "\(code)")
        }
    }

    // MARK: The page

    private static func page() async throws -> String {
        var parts = [introduction]
        for `class` in FortCode.Class.allCases { parts.append(try await section(of: `class`)) }
        parts.append(successes)
        parts.append("## Messages\n\nThe last three digits.")
        parts += FortCode.messages.keys.sorted().map(section(ofMessage:))
        parts.append(statuses)
        parts.append(acquirers)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # FORT's codes

        FORT answers with a `response_code` of five digits: a [status](#statuses) of two and a [message](#messages) of three. `13666` is the
        status 13, "Purchase Failure.", and the message 666, "Transaction declined." FORT is the gateway of Amazon Payment Services (APS).

        - **To look a code up**, go to its last three digits: [666](#666). Successes have [a table of their own](#successes).
        - `payrelay fort codes 13666` and the search of the [console](console.md) say the same.
        - The texts are those of FORT's documentation. The classes, the advice and the sentences are payrelay's, from APS's plugins and from
          reports of integrators. **No live FORT was asked.**

        Each code has a sentence for the operator, and one that can be sent to the customer, in English and Arabic. Under a message they are
        those of a payment that failed or stays open with it. `payrelay fort codes` with all five digits also tells a failed capture, refund
        or void, and an outcome that the status leaves open: then the customer is asked to wait, and not to pay again. Where `response_code`
        says only that the payment was declined, [the acquirer's code](#acquirers-codes) may say why.

        ## Classes

        The relay puts each code, by its status and its message, into one of these classes. Receipts and events have it as
        `response_class`. A code that FORT's documentation does not list is `uncertain`. So is every message after a status that is
        neither a success nor a failure: 01, 10, 15, 19, 20, 40 and those of other products. A failure whose message speaks of something
        created, paid or under way contradicts itself, and is `uncertain` too. The outcome of a transaction in an answer to CHECK_STATUS
        follows from the same classes.

        "Pay again" always means a new payment: the relay answers the same request from its journal.
        """

    /// What the class means, what the relay makes of it as an answer to a payment, and what is to be done.
    private static func section(of class: FortCode.Class) async throws -> String {
        """
        ### \(`class`.rawValue)

        \(`class`.explanation)

        - **What the relay does:** \(try await outcome(of: `class`))
        - **What to do:** \(`class`.action)
        """
    }

    /// As the relay decides it for a code of the class, in the answer to a PURCHASE.
    private static func outcome(of class: FortCode.Class) async throws -> String {
        let code = try #require(`class`.sample)
        #expect(FortCode(code)?.class == `class`)
        let fort = try ScriptedFort(answering: ["response_code": .string(code)])
        switch try #require(try await fort.charge().answer).meaning {
        case .captured: return "The payment is `captured` or `authorized`, the capture, void or refund is done."
        case .declined: return "The payment, capture, void or refund is `declined`, and stays so."
        case .duplicate:
            return "The payment is `uncertain`, and the relay asks FORT for the outcome of the order that it has."
        case .pending where `class` == .notFound:
            return
                "As the answer to a query: once no request can be under way any more, the payment is `not_processed`. As the answer to a payment it settles nothing, and the payment is `uncertain`."
        case .pending:
            return "The payment is `uncertain`, and the relay asks FORT with CHECK_STATUS until the outcome is known."
        case let other: throw Unexpected(what: "\(other)")
        }
    }

    private struct Unexpected: Error { let what: String }

    /// The one code of each command that says it was done, and what a query is answered where there is no order.
    private static let successes: String = {
        var rows = FortCommand.allCases.map { command in
            row(command.successCode, "the success of \(command.rawValue)", "[success](#success)")
        }
        rows +=
            FortCode("12036").map { [row($0, "CHECK_STATUS: the order is not known", "[not_found](#not_found)")] } ?? []
        return
            ([
                "## Successes", "", "| code | what it answers | class | what happened | to the customer |",
                "|---|---|---|---|---|",
            ] + rows.sorted() + [
                "",
                "The success of another command than the one that was sent proves nothing: the payment is `uncertain`.",
            ]).joined(separator: "\n")
    }()

    private static func row(_ code: FortCode, _ text: String, _ class: String) -> String {
        "| <a id=\"\(code)\"></a>`\(code)` | \(text) | \(`class`) | \(columns(code.sentences())) |"
    }

    private static func columns(_ sentences: FortSentences) -> String {
        "\(sentences.whatHappened) | \(toTheCustomer(sentences))"
    }

    private static func toTheCustomer(_ sentences: FortSentences) -> String {
        let arabic = sentences.customerSentence(in: .arabic)
        return "\(sentences.customerSentence(in: .english)) <span lang=\"ar\" dir=\"rtl\">\(arabic)</span>"
    }

    private static func section(ofMessage message: String) -> String {
        let codes = anchored.map { $0 + message }
            .filter { code in !FortCommand.allCases.contains { $0.successCode.description == code } && code != "12036" }
        let classes = classes(ofMessage: message)
        let action =
            FortCode.advice[message] ?? (classes.count == 1 ? classes[0].class.action : "It depends on the class.")
        let sentences = FortCodeEntry(message)?.sentences
        return """
            ### \(message)

            \(FortCode.messages[message] ?? "")

            - **What happened:** \(sentences?.whatHappened ?? "")
            - **To the customer:** \(sentences.map(toTheCustomer) ?? "")
            - **In:** \(codes.map { "<a id=\"\($0)\"></a>`\($0)`" }.joined(separator: ", "))
            - **Class:** \(written(classes))
            - **What to do:** \(action)
            """
    }

    /// The statuses with which a payment, a capture, a void or a refund fails or stays open.
    private static let anchored = ["00", "03", "05", "07", "09", "11", "13", "15"]

    /// Each class that the message has with a status of a failure, the most frequent first.
    private static func classes(ofMessage message: String) -> [(class: FortCode.Class, statuses: [String])] {
        let failures = anchored.filter { $0 != "15" }
        let grouped = Dictionary(grouping: failures) { FortCode($0 + message)?.class ?? .uncertain }
        let classes = grouped.map { (class: $0.key, statuses: $0.value.sorted()) }
        return classes.sorted { left, right in
            let (more, less) = (left.statuses.count, right.statuses.count)
            return more == less ? left.statuses[0] < right.statuses[0] : more > less
        }
    }

    private static func written(_ classes: [(class: FortCode.Class, statuses: [String])]) -> String {
        guard classes.count > 1 else {
            return classes.map { "[\($0.class.rawValue)](#\($0.class.rawValue))" }.joined() + "."
        }
        // The rest is named by what it is not.
        let others = classes.dropFirst().map { part in
            "after the status \(part.statuses.joined(separator: " or ")) [\(part.class.rawValue)](#\(part.class.rawValue))"
        }
        return others.joined(separator: ", ") + ", else [\(classes[0].class.rawValue)](#\(classes[0].class.rawValue))."
    }

    private static let statuses = table(
        "Statuses", "The first two digits. Where a status alone tells the class, it is said.",
        FortCodeEntry.all.filter { $0.kind == .status })

    private static let acquirers = table(
        "Acquirers' codes",
        "What the bank that the merchant's payments go to answered: FORT passes it on as `acquirer_response_code`. Banks number differently. None of these codes decides what became of a payment: `response_code` does. The sentences hold where it says that the payment was declined.",
        FortCodeEntry.ofAcquirers)

    private static func table(_ title: String, _ text: String, _ entries: [FortCodeEntry]) -> String {
        let classes = entries.contains { $0.class != nil }
        var lines = [
            "## \(title)", "", text, "",
            "| code | FORT's text |\(classes ? " class |" : "") what happened | to the customer |",
            "|---|---|\(classes ? "---|" : "")---|---|",
        ]
        for entry in entries {
            let texts = entry.texts.joined(separator: "; or: ").replacing("|", with: "\\|")
            let ofClass = entry.class.map { "[\($0.rawValue)](#\($0.rawValue))" } ?? ""
            lines.append(
                "| `\(entry.code)` | \(texts) |\(classes ? " \(ofClass) |" : "") \(columns(entry.sentences)) |")
        }
        return lines.joined(separator: "\n")
    }
}

extension FortCode.Class {
    /// A code of the class.
    fileprivate var sample: String? {
        switch self {
        case .success: "14000"
        case .declined: "13666"
        case .duplicate: "13007"
        case .uncertain: "15777"
        case .notFound: "00036"
        case .signature: "00008"
        case .configuration: "00009"
        case .request: "00001"
        case .token: "13102"
        case .notAllowed: "13034"
        }
    }

    fileprivate var action: String {
        switch self {
        case .success: "Nothing."
        case .declined:
            "Send the customer the sentence for the code. A further try is a new payment, with a new reference and a new token."
        case .duplicate:
            "Wait for the outcome. If it does not come, the reference was used elsewhere: see [payments that stay uncertain](runbook.md#payments-that-stay-uncertain)."
        case .uncertain:
            "Wait for the outcome. Deliver nothing, and do not charge under another reference. If it does not come, see [payments that stay uncertain](runbook.md#payments-that-stay-uncertain)."
        case .notFound:
            "Wait for the outcome. Once the payment is `not_processed`, pay again with a new token under another reference."
        case .signature:
            "Correct the request phrase or the SHA type: [signature mismatch](signature-mismatch.md). Then pay with a new reference and a new token. Repeating the request does not help."
        case .configuration:
            "Correct the account, or let APS do so. Then pay with a new reference and a new token. Repeating the request does not help."
        case .request:
            "Correct the request, and pay with a new reference and a new token. The relay refuses most of these before FORT is asked: report one that it let through."
        case .token:
            "Compare the processing certificate at APS with the app's: [tokens that are refused](runbook.md#tokens-that-are-refused). Pay with a new token under a new reference."
        case .notAllowed: "Read the payment: [payment states](payment-states.md) says what each state allows."
        }
    }
}
