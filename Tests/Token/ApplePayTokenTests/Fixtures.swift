import ApplePayToken
import Foundation
import PayrelayPrimitives
import TestPrograms

/// Tokens that Apple signed, published in other projects' test suites. They are not part of this repository: without the folder
/// beside the project, the tests that need them are skipped.
enum Fixtures {
    static let folder = Project.shared("fixtures/tokens")

    static let arePresent = FileManager.default.fileExists(atPath: folder.path)

    static let genuine = ["gala-2014-ec-prod", "processout-2017-ec-prod", "processout-2017-rsa-prod"]

    static func json(_ name: String) throws -> JSON {
        try JSON(parsing: Array(Data(contentsOf: folder.appending(path: "\(name).json"))))
    }

    static func token(_ name: String) throws -> PaymentToken {
        try PaymentToken(json: json(name))
    }
}
