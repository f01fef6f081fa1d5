public import Foundation

/// A folder for what a test or a measurement writes, and for what it leaves behind. It is gone with the last reference: whoever
/// needs its files keeps it.
public final class TemporaryFolder: Sendable {
    public let url = FileManager.default.temporaryDirectory.appending(path: "payrelay-\(UUID().uuidString)")

    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public var path: String { url.path }

    /// The path of what lies in it under this name, or of what may be put there.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file.
    ///
    /// - Returns: its path.
    @discardableResult public func file(_ name: String, _ text: some StringProtocol) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }
}
