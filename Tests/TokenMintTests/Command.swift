import Foundation

/// Runs another program on files in a directory of its own.
struct Command {
    let status: Int32
    let output: String

    static func exists(_ arguments: String...) -> Bool {
        (try? run(arguments, files: [:]).status) == 0
    }

    /// - Parameter files: what lies in the directory the program runs in.
    static func run(_ arguments: [String], files: [String: Data]) throws -> Command {
        let folder = FileManager.default.temporaryDirectory.appending(path: "payrelay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, data) in files { try data.write(to: folder.appending(path: name)) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Command(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }
}
