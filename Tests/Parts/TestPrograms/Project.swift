public import Foundation

/// The paths of the project's files, and of files beside the project, for tests that read them.
public enum Project {
    /// The folder that holds `Package.swift`.
    public static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// Returns the URL of a file or folder of the project, by its path from the root.
    public static func url(_ path: String) -> URL { root.appending(path: path) }

    /// Returns the URL of a file or folder beside the project. A test that needs it is skipped if it is absent.
    public static func shared(_ path: String) -> URL {
        root.deletingLastPathComponent().appending(path: "shared").appending(path: path)
    }

    /// Whether a file or folder beside the project exists.
    public static func hasShared(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: shared(path).path)
    }
}
