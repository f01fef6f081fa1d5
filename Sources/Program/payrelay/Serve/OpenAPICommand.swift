import ArgumentParser
import Foundation
import ServedFiles

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the OpenAPI document of the relay's HTTP interface.",
        discussion: "The same text is served at /openapi.yaml.")

    func run() throws {
        try FileHandle.standardOutput.write(contentsOf: Data(OpenAPIDocument.bytes))
    }
}
