public import ArgumentParser
public import FortAPI
import Foundation
import OrderedJSON

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

    @Flag(help: "Mask the values that are nobody's business, and the phrase.")
    var mask = false

    func run() throws {
        let bytes = try readFile(file)
        guard let json = try? JSON(parsing: bytes), case .object(let message) = json else {
            throw failure("\(file) is no JSON object", status: .data)
        }
        let phrase = try phrase()
        let text = CanonicalText(of: message)
        say("canonical  \(mask ? text.masked : text.exposed(within: phrase))")
        say("\(type.rawValue)  \(FortSignature(of: message, phrase: phrase, type: type).hexadecimal)")
    }

    private func phrase() throws -> Secret {
        if let phraseFile {
            let text = String(decoding: try readFile(phraseFile), as: UTF8.self)
            return Secret(String(text.last?.isNewline == true ? text.dropLast() : text[...]))
        }
        guard let phrase = ProcessInfo.processInfo.environment["PAYRELAY_FORT_REQUEST_PHRASE"] else {
            throw failure("set PAYRELAY_FORT_REQUEST_PHRASE, or name a --phrase-file", status: .data)
        }
        return Secret(phrase)
    }
}

extension FortSignatureType: ExpressibleByArgument {}
