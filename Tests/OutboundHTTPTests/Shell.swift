import Foundation

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
