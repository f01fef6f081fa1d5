import Foundation

/// Reference files that lie beside the project in some working copies; tests that need one are skipped elsewhere.
enum Shared {
    static let acceptance = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/acceptance")

    static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
        where: FileManager.default.isExecutableFile(atPath:))

    static let hasMock =
        python != nil && FileManager.default.fileExists(atPath: acceptance.appending(path: "fort_mock.py").path)
}
