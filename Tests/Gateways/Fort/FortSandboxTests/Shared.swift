import Foundation
import TestPrograms

/// Reference files that lie beside the project in some working copies. Without a file, the tests that need it are skipped.
enum Shared {
    static let acceptance = Project.shared("acceptance")

    static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
        where: FileManager.default.isExecutableFile(atPath:))

    static let hasMock = python != nil && Project.hasShared("acceptance/fort_mock.py")
}
