import Foundation
import TestPrograms

/// A program that runs beside the test and ends with the last reference.
final class RunningProgram {
    private let process: TestProgram
    private let input = Pipe()
    private let output = Pipe()

    /// The text that the program printed after the prefix, on the line that says that it is ready.
    let announced: String

    /// Starts the program and waits for the first line with this prefix.
    init(_ arguments: [String], announcing prefix: String) throws {
        process = try TestProgram(arguments, input: input, output: .pipe(output))
        var text = ""
        while true {
            let piece = output.fileHandleForReading.availableData
            text += String(decoding: piece, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix(prefix) }) {
                announced = String(line.dropFirst(prefix.count))
                return
            }
            if piece.isEmpty { throw CocoaError(.executableLoad) }
        }
    }
}
