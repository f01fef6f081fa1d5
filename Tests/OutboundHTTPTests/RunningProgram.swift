import Foundation

/// A program that runs beside the test and is ended with the last reference.
final class RunningProgram {
    private let process = Process()
    private let output = Pipe()

    /// Starts a program and waits for the first line that it prints with this prefix; the rest of the line is `announced`.
    let announced: String

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

/// Runs a shell command to its end and returns what it printed; throws where its exit status is not 0.
@discardableResult
func shell(_ command: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
}

func isInstalled(_ program: String) -> Bool {
    (try? shell("command -v \(program)")) != nil
}
