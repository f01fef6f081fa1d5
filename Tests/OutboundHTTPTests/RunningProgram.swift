import Foundation

/// A program that runs beside the test and is ended with the last reference.
final class RunningProgram {
    private let process = Process()
    private let output = Pipe()

    /// What the program printed after the prefix on the line that says that it is ready.
    let announced: String

    /// Starts the program and waits for the first line with this prefix.
    init(_ arguments: [String], announcing prefix: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = Pipe()
        try process.run()
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

    deinit { process.terminate() }
}
