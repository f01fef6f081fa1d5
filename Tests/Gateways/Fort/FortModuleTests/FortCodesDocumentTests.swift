import Foundation
import PaymentRelay
import PayrelayPrimitives
import TestPrograms
import Testing

@testable import FortAPI

/// Compares docs/fort-codes.md with the table of codes, and with the relay's handling of an answer. `make fort-codes` writes
/// the page.
@Suite struct FortCodesDocumentTests {
    private static let document = Project.url("docs/fort-codes.md")

    @Test("The page of FORT's codes agrees with the table of codes and with the relay's handling of each code")
    func thePageIsTheTable() async throws {
        let current = try await Self.page()
        if ProcessInfo.processInfo.environment["PAYRELAY_WRITE_FORT_CODES"] != nil {
            try Data(current.utf8).write(to: Self.document)
        } else {
            let text = try String(contentsOf: Self.document, encoding: .utf8)
            #expect(text == current, "docs/fort-codes.md is not up to date: run `make fort-codes`")
        }
    }

    @Test(
        "Every message of a service that the relay uses has one row of the table, and every sentence that a row names is in the list"
    )
    func everyMessageHasARow() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let rows = try #require(text.firstMatch(of: #/(?s)## Messages\n(.*?)\n## /#)).1
        for message in FortCodeEntry.messages.map(\.code) {
            let count = Self.ofOtherServices.contains(message) ? 0 : 1
            #expect(rows.components(separatedBy: "`\(message)` ").count == 1 + count, "\(message)")
        }
        let named = Set(text.matches(of: /\[([a-z-]+)\]\(#say-\1\)/).map { $0.1 })
        #expect(named.count > 20)
        for name in named { #expect(text.contains("<a id=\"say-\(name)\"></a>"), "\(name)") }
    }

    // MARK: The page

    private static func page() async throws -> String {
        var rows = [introduction]
        for `class` in FortCode.Class.allCases { rows.append(try await row(of: `class`)) }
        var parts = [rows.joined(separator: "\n")]
        parts += [messages, help, statuses, acquirers, customerSentences]
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # FORT's codes

        `response_code` is a [status](#statuses) of two digits and a [message](#messages) of three: `13666` is 13, "Purchase Failure.", and
        666, "Transaction declined." `payrelay fort codes 13666` and the search of the [console](console.md) also say what happened and what
        helps.

        The texts are FORT's. Classes, advice and sentences are payrelay's, from APS's plugins and reports of integrators. **No live FORT was
        asked.**

        ## Classes

        Receipts and events have a code's class as `response_class`. Unknown codes are `uncertain`. "Pay again" means a new reference and a
        new token.

        | class | meaning | the relay | to do |
        |---|---|---|---|
        """

    /// Returns the row of a class: its meaning, the relay's handling of it in the answer to a payment, and the operator's
    /// action.
    private static func row(of class: FortCode.Class) async throws -> String {
        let outcome = try await outcome(of: `class`)
        return
            "|<a id=\"\(`class`.rawValue)\"></a>`\(`class`.rawValue)`|\(`class`.explanation)|\(outcome)|\(`class`.action)|"
    }

    /// Returns the relay's handling of a code of the class in the answer to a PURCHASE.
    private static func outcome(of class: FortCode.Class) async throws -> String {
        let code = try #require(`class`.sample)
        #expect(FortCode(code)?.class == `class`)
        let fort = try ScriptedFort(answering: ["response_code": .string(code)])
        let word =
            switch try #require(try await fort.charge().answer).meaning {
            case .captured: "captured"
            case .declined: "declined"
            case .duplicate, .pending: "uncertain"
            case let other: throw Unexpected(what: "\(other)")
            }
        #expect(`class`.whatTheRelayDoes.contains(word), "\(`class`)")
        return `class`.whatTheRelayDoes
    }

    private struct Unexpected: Error { let what: String }

    /// Messages about bills, batches, plans, invoices and links, which no request of the relay concerns.
    private static let ofOtherServices: Set = [
        "037", "053", "059", "086", "092", "094", "095", "096", "098", "101", "103", "104", "105", "106", "107", "114",
        "115", "116", "120", "122", "126", "127", "129", "134", "136", "137", "141", "142", "144", "146", "149", "150",
        "151", "152", "154", "155", "748", "783", "788", "789", "790",
    ]

    /// The table of messages. Codes with the same meaning share a row.
    private static let messages: String = {
        let listed = FortCodeEntry.all.filter { $0.kind == .message && !ofOtherServices.contains($0.code) }
        let rows = grouped(listed) { entry in
            "\(written(classes(ofMessage: entry.code)))|\(toTheCustomer(entry.sentences))"
        }
        return """
            ## Messages

            The last three digits, after a status that is a failure. `declined` or `request` means: `declined` after the status 03 or 13,
            `request` after 00, `uncertain` after any other. `payrelay fort codes` has those of bills, batches, plans and links, too.

            | messages, with FORT's texts | class | to the customer |
            |---|---|---|

            """ + rows
    }()

    /// The advice for codes that occur with an account that was just set up.
    private static let help =
        """
        What helps:


        """
        + ["003", "008", "009", "010", "040", "049", "078", "089", "099", "102"].map { message in
            "- `\(message)`: \(FortCodeEntry(message)?.advice ?? "")"
        }.joined(separator: "\n")

    private static let statuses: String = {
        // Of the statuses that decide nothing, the list has only those of an order: ten lines of batches, bills and tokens help
        // no reader.
        let ofAnOrder = ["01", "10", "15", "19", "20", "40"]
        let listed = FortCodeEntry.all.filter {
            $0.kind == .status && (FortStatus($0.code) != .undecided || ofAnOrder.contains($0.code))
        }
        let rows = grouped(listed) { entry in
            let ofClass = entry.class.map { "[\($0.rawValue)](#\($0.rawValue))" } ?? "the message's"
            return "\(ofClass)|\(toTheCustomer(entry.sentences))"
        }
        return """
            ## Statuses

            The first two digits. A success is proven by the whole code that answers the command: \(successes). Every other status, of a
            batch, a bill or a stored card, is [uncertain](#uncertain).

            | statuses, with FORT's texts | class | to the customer |
            |---|---|---|

            """ + rows
    }()

    private static let successes = FortCommand.allCases.map { "`\($0.successCode)` \($0.rawValue)" }.sorted()
        .joined(separator: ", ")

    private static let acquirers = """
        ## Acquirers' codes

        What the merchant's bank answered, in `acquirer_response_code`. Banks number differently, and none of these codes decides what became
        of a payment: `response_code` does. If that declines without a reason, the customer gets the sentence of the acquirer's code.

        | codes, with FORT's texts | to the customer |
        |---|---|

        """ + grouped(FortCodeEntry.ofAcquirers) { toTheCustomer($0.sentences) }

    private static let customerSentences = """
        ## To the customer

        | | English | Arabic |
        |---|---|---|

        """
        + FortCustomerText.allCases.map { text in
            let arabic = "<span lang=\"ar\" dir=\"rtl\">\(text.sentence(in: .arabic))</span>"
            return "|<a id=\"say-\(name(text))\"></a>\(name(text))|\(text.sentence(in: .english))|\(arabic)|"
        }.joined(separator: "\n")

    // MARK: Rows

    /// Returns one row for all entries with the same `columns`, in the order of their first codes.
    private static func grouped(_ entries: [FortCodeEntry], columns: (FortCodeEntry) -> String) -> String {
        let rows = Dictionary(grouping: entries, by: columns).map { columns, entries in
            let codes = entries.map { entry in
                "`\(entry.code)` \(text(of: entry))"
            }
            return (codes: codes.sorted(), columns: columns)
        }
        return rows.sorted { $0.codes[0] < $1.codes[0] }
            .map { "|\($0.codes.joined(separator: "; "))|\($0.columns)|" }.joined(separator: "\n")
    }

    /// Returns FORT's texts without their full stops, joined.
    private static func text(of entry: FortCodeEntry) -> String {
        entry.texts.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: "; or: ")
            .replacing("|", with: "\\|")
    }

    private static func toTheCustomer(_ sentences: FortSentences) -> String {
        "[\(name(sentences.customerText))](#say-\(name(sentences.customerText)))"
    }

    /// Returns the name of a sentence in the list at the page's end, such as `bank-declined`.
    private static func name(_ text: FortCustomerText) -> String {
        "\(text)".map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }

    /// The statuses of a failed payment, query or operation.
    private static let failures = ["00", "03", "05", "07", "09", "11", "13"]

    /// Returns each class that the message has with the status of a failure, the most frequent class first.
    private static func classes(ofMessage message: String) -> [(class: FortCode.Class, statuses: [String])] {
        let grouped = Dictionary(grouping: failures) { FortCode($0 + message)?.class ?? .uncertain }
        let classes = grouped.map { (class: $0.key, statuses: $0.value.sorted()) }
        return classes.sorted { left, right in
            let (more, less) = (left.statuses.count, right.statuses.count)
            return more == less ? left.statuses[0] < right.statuses[0] : more > less
        }
    }

    private static func written(_ classes: [(class: FortCode.Class, statuses: [String])]) -> String {
        guard classes.count > 1 else { return link(classes[0].class) }
        let others = classes.dropFirst()
        if classes[0].class == .uncertain, others.map(\.class) == [.declined, .request],
            others.map(\.statuses) == [["03", "13"], ["00"]]
        {
            return "\(link(.declined)) or \(link(.request))"
        }
        // Otherwise the less frequent classes are named with their statuses, before the most frequent one.
        return others.map { "after \($0.statuses.joined(separator: " or ")) \(link($0.class)), " }.joined()
            + "else \(link(classes[0].class))"
    }

    private static func link(_ class: FortCode.Class) -> String { "[\(`class`.rawValue)](#\(`class`.rawValue))" }
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
            "Send the customer the code's sentence. A further try is a new payment."
        case .duplicate:
            "Wait. If no outcome comes, or an old order's, [the reference was used elsewhere](runbook.md#payments-that-stay-uncertain)."
        case .uncertain:
            "Wait; deliver nothing, and do not charge under another reference. [It stays uncertain](runbook.md#payments-that-stay-uncertain)."
        case .notFound:
            "Wait. Once it is `not_processed`, pay again."
        case .signature:
            "Correct the request phrase or the SHA type ([signature mismatch](signature-mismatch.md)), then pay again."
        case .configuration:
            "Correct the account or have APS correct it, then pay again."
        case .request:
            "Correct the request and pay again. Report one that the relay let through."
        case .token:
            "Compare the processing certificate at APS with the app's ([tokens that are refused](runbook.md#tokens-that-are-refused)), then pay again."
        case .notAllowed: "Read the payment: [payment states](payment-states.md) says what each state allows."
        }
    }
}
