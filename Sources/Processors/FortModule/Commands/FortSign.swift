public import ArgumentParser
import CommandLineParts
public import FortAPI

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

    func run() throws {
        let message = try readObject(from: file)
        guard let phrase = try readPhrase(from: phraseFile, orVariable: "PAYRELAY_FORT_REQUEST_PHRASE") else {
            throw failure("set PAYRELAY_FORT_REQUEST_PHRASE, or name a --phrase-file", status: .data)
        }
        let text = CanonicalText(of: message)
        say("canonical  \(mask ? text.masked : text.exposed(within: phrase))")
        say("\(type.rawValue)  \(FortSignature(of: message, phrase: phrase, type: type).hexadecimal)")
    }
}

extension FortSignatureType: ExpressibleByArgument {}
