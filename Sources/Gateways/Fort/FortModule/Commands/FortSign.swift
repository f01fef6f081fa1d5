public import ArgumentParser
import CommandLineParts
public import FortAPI
import PayrelayPrimitives

struct FortSign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Print the canonical string of a message and its signature.",
        discussion: """
            The file is the message as JSON; a signature in it is left out. The phrase comes from PAYRELAY_FORT_REQUEST_PHRASE \
            or from --phrase-file, never from the command line, where other users of the machine could read it.
            """)

    @Argument(help: "A file with the message as JSON; - is standard input.", completion: .file())
    var file: String

    @Option(help: "One of \(FortSignatureType.allCases.map(\.rawValue).joined(separator: ", ")).")
    var type = FortSignatureType.standard

    @Option(help: "A file with the phrase; a line break at its end does not count.", completion: .file())
    var phraseFile: String?

    @Flag(help: "Mask the phrase and confidential values.")
    var mask = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let message = try readObject(from: file)
        guard let phrase = try readPhrase(from: phraseFile, orVariable: "PAYRELAY_FORT_REQUEST_PHRASE") else {
            throw failure("set PAYRELAY_FORT_REQUEST_PHRASE, or name a --phrase-file", status: .data)
        }
        let text = CanonicalText(of: message)
        let canonical = mask ? text.masked : text.exposed(within: phrase)
        let signature = FortSignature(of: message, phrase: phrase, type: type).hexadecimal
        guard !json else {
            let result: JSONObject = [
                "canonical": .string(canonical), "type": .string(type.rawValue), "signature": .string(signature),
            ]
            return say(JSON.object(result).formatted())
        }
        say("canonical  \(canonical)")
        say("\(type.rawValue)  \(signature)")
    }
}

extension FortSignatureType: ExpressibleByArgument {}
