public import Foundation

/// A temporary folder of a test or a measurement. It is removed with the last reference, so keep the reference as long as the
/// files are needed.
public final class TemporaryFolder: Sendable {
    public let url = FileManager.default.temporaryDirectory.appending(path: "payrelay-\(UUID().uuidString)")

    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public var path: String { url.path }

    /// Returns the path of a file in the folder. The file need not exist.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file.
    ///
    /// - Returns: The file's path.
    @discardableResult public func file(_ name: String, _ text: some StringProtocol) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }
}
