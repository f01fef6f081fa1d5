import ApplePayToken
import Crypto
import Foundation
import TestPrograms
import Testing
import X509

@testable import TokenMint

@Suite struct PublishedPKITests {
    private static let folder = Project.url("certs/sandbox")

    @Test(arguments: SandboxPKI.File.allCases)
    func isTheOneInTheFiles(file: SandboxPKI.File) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(file.rawValue).pem"), encoding: .utf8)
        #expect(try SandboxPKI.published.pem(file) + "\n" == text)
    }

    @Test func belongsTogether() throws {
        let pki = SandboxPKI.published
        let leafKey = pki.leafKey.publicKey.derRepresentation
        let merchantKey = pki.merchantKey.publicKey.derRepresentation
        #expect(leafKey.elementsEqual(try pki.leaf.publicKey.der()))
        #expect(merchantKey.elementsEqual(try pki.merchant.publicKey.der()))
        #expect(try pki.anchor().commonName == "payrelay sandbox Root CA - G3")
    }

    /// Makes a new PKI in `certs/sandbox/` and in the source, if requested (`certs/README.md`). It is not a test.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["REGENERATE_SANDBOX_PKI"] != nil))
    func regenerate() throws {
        let pki = try SandboxPKI.generate()
        var source = """
            // Made together with certs/sandbox/ by PublishedPKITests: certs/README.md tells how.
            extension SandboxPKI {
                static let publishedPEM: [File: String] = [

            """
        for file in SandboxPKI.File.allCases {
            let text = try pki.pem(file)
            try "\(text)\n".write(
                to: Self.folder.appending(path: "\(file.rawValue).pem"), atomically: true, encoding: .utf8)
            let lines = text.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n")
            source += "        .\(file): \"\"\"\n\(lines)\n        \"\"\",\n"
        }
        source += "    ]\n}\n"
        let place = Project.url("Sources/Token/TokenMint/PKI/PublishedSandboxPEM.swift")
        try source.write(to: place, atomically: true, encoding: .utf8)
    }
}
