public import Foundation

/// The project's own files, and those that lie beside it, for tests that read them.
public enum Project {
    /// The folder that holds `Package.swift`.
    public static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// A file or folder of the project, by its path from the root.
    public static func url(_ path: String) -> URL { root.appending(path: path) }

    /// A file or folder beside the project. A test that needs it skips where it is absent.
    public static func shared(_ path: String) -> URL {
        root.deletingLastPathComponent().appending(path: "shared").appending(path: path)
    }

    /// Says whether a file or folder beside the project is there.
    public static func hasShared(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: shared(path).path)
    }
}
