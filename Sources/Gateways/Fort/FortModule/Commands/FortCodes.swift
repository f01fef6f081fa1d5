import ArgumentParser
import CommandLineParts
import FortAPI
import PayrelayPrimitives

struct FortCodes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes", abstract: "Explain FORT's codes: what to check, and what to tell the customer.",
        discussion: """
            A code is a response_code of five digits, a status of two or a message of three; with --acquirer, an \
            acquirer_response_code. Without one, the whole table. Exit status 1 if the code is not listed.
            """)

    @Argument(help: "For example 00008, 13, 666.")
    var code: String?

    @Flag(help: "The code is an acquirer's.")
    var acquirer = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        guard let code else { return printTable() }
        guard let entry = acquirer ? FortCodeEntry(acquirerCode: code) : FortCodeEntry(code) else {
            throw failure("FORT's documentation lists no \(acquirer ? "acquirer code" : "code") \(code)", status: .no)
        }
        json ? say(entry.json.formatted()) : printEntry(entry)
    }

    private func printEntry(_ entry: FortCodeEntry) {
        var table = TextTable(widths: [8])
        switch entry.kind {
        case .response:
            table.add("status", "\(entry.code.prefix(2))  \(entry.texts[0])")
            table.add("message", "\(entry.code.suffix(3)) \(entry.texts[1])")
        default: for text in entry.texts { table.add(entry.kind.rawValue, "\(entry.code)  \(text)") }
        }
        if let `class` = entry.class { table.add("class", "\(`class`.rawValue): \(`class`.explanation)") }
        if let `class` = entry.class { table.add("relay", `class`.whatTheRelayDoes) }
        if let advice = entry.advice { table.add("look at", advice) }
        table.add("operator", entry.sentences.whatHappened)
        table.add("customer", entry.sentences.customerSentence(in: .english))
        table.add("", entry.sentences.customerSentence(in: .arabic))
        if entry.kind == .acquirer {
            table.add("note", "The sentences apply if FORT's response_code says that the payment was declined.")
        }
        say(table)
    }

    private func printTable() {
        let entries = (acquirer ? [] : FortCodeEntry.all) + FortCodeEntry.ofAcquirers
        if json { return say(JSON.array(entries.map(\.json)).formatted()) }
        say(
            table: entries.flatMap { entry in
                entry.texts.map { text in
                    [entry.kind.rawValue, entry.code, text + (entry.class.map { "  (\($0.rawValue))" } ?? "")]
                }
            })
    }
}

extension FortCodeEntry {
    fileprivate var json: JSON {
        var object: JSONObject = ["kind": .string(kind.rawValue), "code": .string(code)]
        if kind == .response {
            object["status_text"] = .string(texts[0])
            object["message_text"] = .string(texts[1])
        } else {
            object["texts"] = .array(texts.map(JSON.string))
        }
        object["class"] = `class`.map { .string($0.rawValue) }
        object["relay"] = `class`.map { .string($0.whatTheRelayDoes) }
        object["advice"] = advice.map(JSON.string)
        object["what_happened"] = .string(sentences.whatHappened)
        object["customer_sentence"] = .object([
            "en": .string(sentences.customerSentence(in: .english)),
            "ar": .string(sentences.customerSentence(in: .arabic)),
        ])
        return .object(object)
    }
}
