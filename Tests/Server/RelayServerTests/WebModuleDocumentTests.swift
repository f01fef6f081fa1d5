import Foundation
import ServedFiles
import TestPrograms
import Testing

/// The files that `make web-module` makes from payrelay.js.
@Suite struct WebModuleDocumentTests {
    private static let page = Project.url("docs/apple-pay-on-the-web.md")

    @Test("docs/apple-pay-on-the-web.md has the path of the module's version, and its hash")
    func pathAndHash() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let line = /<link rel="modulepreload" href="[^"]*" integrity="[^"]*">/
        #expect(text.matches(of: line).count == 1)
        let made = text.replacing(line) { _ in
            "<link rel=\"modulepreload\" href=\"\(WebAssets.versionedPath)\" integrity=\"\(WebAssets.integrity)\">"
        }
        if ProcessInfo.processInfo.environment["PAYRELAY_WRITE_WEB_MODULE"] != nil {
            return try Data(made.utf8).write(to: Self.page)
        }
        #expect(made == text, "make web-module")
    }

    @Test("the path and the hash are those that another implementation computes")
    func anotherImplementation() throws {
        let source = Project.url("Sources/Server/ServedFiles/payrelay.js").path
        let version = try shell("sha256sum \(source) | cut -c1-16")
        #expect(WebAssets.versionedPath == "/payrelay/\(version)/payrelay.js")
        #expect(WebAssets.integrity == "sha384-\(try shell("openssl dgst -sha384 -binary \(source) | base64 -w0"))")
    }

    @Test("the compressed module is the module")
    func compressed() throws {
        let unpacked = try FinishedProgram(["gzip", "-dc"], input: Data(WebAssets.compressedModule))
        #expect(unpacked.succeeded && Array(unpacked.output) == WebAssets.module, "make web-module")
    }
}
