import ArgumentParser
import CommandLineParts
import FortAPI
import PayrelayPrimitives

struct FortExplain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Find out why a signature does not match.",
        discussion: """
            Tries the known mistakes, one and two at a time, and says which lead to the signature. The file is the \
            message as JSON, as it was sent, or as FORT sent it: with a response_code in it, it is taken for FORT's, which \
            the response phrase signs. The phrases come from PAYRELAY_FORT_REQUEST_PHRASE and \
            PAYRELAY_FORT_RESPONSE_PHRASE or from files, never from the command line, where other users of the machine \
            could read them. One is enough.

            Exit status 0 if the signature is the message's, 1 if it is not.
            """)

    @Argument(help: "A file with the message as JSON; - is standard input.", completion: .file())
    var file: String

    @Option(help: "The signature in question. Without it, the one in the message.")
    var signature: String?

    @Option(
        help: "The account's SHA type, one of \(FortSignatureType.allCases.map(\.rawValue).joined(separator: ", ")).")
    var type = FortSignatureType.standard

    @Option(help: "A file with the request phrase; a line break at its end does not count.", completion: .file())
    var phraseFile: String?

    @Option(help: "A file with the response phrase.", completion: .file())
    var responsePhraseFile: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let message = try readObject(from: file)
        guard let signature = signature ?? message["signature"]?.stringValue else {
            throw failure("\(file) has no signature; name one with --signature", status: .data)
        }
        let requestPhrase = try readPhrase(from: phraseFile, orVariable: "PAYRELAY_FORT_REQUEST_PHRASE")
        let responsePhrase = try readPhrase(from: responsePhraseFile, orVariable: "PAYRELAY_FORT_RESPONSE_PHRASE")
        let isAnswer = message["response_code"] != nil
        let (phrase, other) = isAnswer ? (responsePhrase, requestPhrase) : (requestPhrase, responsePhrase)
        guard let phrase else {
            let name = isAnswer ? "RESPONSE" : "REQUEST"
            throw failure(
                "set PAYRELAY_FORT_\(name)_PHRASE, or name a \(isAnswer ? "--response-phrase-file" : "--phrase-file")",
                status: .data)
        }
        let diagnosis = SignatureDiagnosis(of: signature, over: message, phrase: phrase, otherPhrase: other, type: type)
        json ? say(diagnosis.json.formatted()) : diagnosis.lines.forEach { say($0) }
        if diagnosis != .correct { throw ExitCode(ExitStatus.no.rawValue) }
    }
}

extension SignatureDiagnosis {
    fileprivate var lines: [String] {
        switch self {
        case .correct: ["The signature matches."]
        case .notASignature: ["That is not a signature. FORT's have 64 or 128 hex digits."]
        case .unexplained:
            [
                "The signature does not match, and no known mistake leads to it.",
                "Most likely it was made with another phrase, or over other values than the message has now.",
            ]
        case .mistaken(let ways):
            ["The signature does not match."]
                + (ways.count > 1 ? ["Several ways lead to it; one of them was taken."] : [])
                + ways.flatMap { way in
                    ["", way.count > 1 ? "These mistakes together lead to it:" : "This mistake leads to it:"]
                        + way.flatMap(\.lines)
                }
        }
    }

    fileprivate var json: JSON {
        switch self {
        case .correct: ["result": "correct"]
        case .notASignature: ["result": "not_a_signature"]
        case .unexplained: ["result": "unexplained"]
        case .mistaken(let ways):
            ["result": "mistaken", "ways": .array(ways.map { .array($0.map(\.json)) })]
        }
    }
}

extension SignatureMistake {
    fileprivate var lines: [String] {
        ["  \(name)", "    \(explanation)"] + (detail.map { ["    Here: \($0)"] } ?? [])
    }

    fileprivate var json: JSON {
        var object: JSONObject = ["name": .string(name), "explanation": .string(explanation)]
        object["detail"] = detail.map(JSON.string)
        return .object(object)
    }
}
