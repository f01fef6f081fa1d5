import Foundation

/// Where the project's own files are, and reference files that lie beside it in some working copies.
enum Project {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func url(_ path: String) -> URL { root.appending(path: path) }

    static func shared(_ path: String) -> URL {
        root.deletingLastPathComponent().appending(path: "shared").appending(path: path)
    }

    static func hasShared(_ path: String) -> Bool { FileManager.default.fileExists(atPath: shared(path).path) }
}

/// A folder that is gone with the last reference.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "payrelay-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file.
    ///
    /// - Returns: its path.
    func file(_ name: String, _ text: some StringProtocol) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
