public import Foundation

/// A folder for what a measurement needs. It is gone with the last reference.
public final class TemporaryFolder: Sendable {
    public let url = FileManager.default.temporaryDirectory.appending(path: "payrelay-bench-\(UUID().uuidString)")

    public init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of what lies in it under this name.
    public func path(_ name: String) -> String { url.appending(path: name).path }
}
