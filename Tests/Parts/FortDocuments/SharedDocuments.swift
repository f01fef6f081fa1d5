import Foundation

/// Reference files that lie beside the project in some working copies. Without a file, the tests that need it are skipped.
public enum SharedDocuments {
    static let guidePages = "000_b033427be6419768.txt"
    static let operationsPage = "001_f2ede009704f0d75.txt"
    static let tabularGuide = "002_c9f193a04a750f2f.txt"
    static let applePayPage = "003_0fed9235f23c697c.txt"

    /// Whether all documents exist.
    public static let areThere = [guidePages, operationsPage, tabularGuide, applePayPage].allSatisfy {
        FileManager.default.fileExists(atPath: url($0).path)
    }

    /// Returns the text of the page "Apple Pay API", with its samples.
    public static func applePayText() throws -> String { try text(applePayPage) }

    static func url(_ name: String) -> URL {
        let path = "shared/reference/seeds/\(name)"
        var folder = URL(filePath: #filePath)
        // The folder is searched for from this file upwards, because another package may link to this file's folder.
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let file = folder.appending(path: path)
            if FileManager.default.fileExists(atPath: file.path) { return file }
        }
        return URL(filePath: "/").appending(path: path)
    }

    static func text(_ name: String) throws -> String { try String(contentsOf: url(name), encoding: .utf8) }
}
