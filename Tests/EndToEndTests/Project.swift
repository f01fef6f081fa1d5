import Foundation

/// Paths of the project's files, and of reference files that lie beside it in some working copies.
enum Project {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func url(_ path: String) -> URL { root.appending(path: path) }

    static func shared(_ path: String) -> URL {
        root.deletingLastPathComponent().appending(path: "shared").appending(path: path)
    }

    static func hasShared(_ path: String) -> Bool { FileManager.default.fileExists(atPath: shared(path).path) }
}
