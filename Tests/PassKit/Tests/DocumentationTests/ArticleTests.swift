import Foundation
import PassKit
import PayrelayClient
import Testing

@Suite(.timeLimit(.minutes(25))) struct ArticleTests {
    private static let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(
        "Every line of code in an article is compiled, block by block", arguments: ["YourFirstPayment", "TestYourApp"])
    func theArticlesCode(name: String) throws {
        let article = try Self.text("Sources/Clients/PayrelayClient/PayrelayClient.docc/\(name).md")
        let code = try Self.text("Tests/PassKit/Tests/DocumentationTests/\(name).swift")
        let blocks = article.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(blocks.count > 5)
        for block in blocks {
            #expect(block.hasPrefix("swift\n"))
            let lines = block.split(separator: "\n").dropFirst().map { "    \($0)" }.joined(separator: "\n")
            #expect(code.contains("\n\(lines)\n"), "not compiled:\n\(lines)")
        }
    }

    @Test("The fake behaves as the article describes it")
    func theFake() async throws {
        try await payWithTheFake()
        #expect(try parsedToken(#"{"paymentData": {}}"#) == AppleToken(json: ["paymentData": [:]]))
        #expect(throws: JSONError.self) { try parsedToken("no JSON") }
    }

    @Test("The article's code makes of an outcome the screen and the sheet that its text says")
    func theArticlesCheckout() async throws {
        #expect(try makeOrder().amount == 10_000)
        #expect(screen(after: .cancelled) == .cart)
        #expect(screen(after: .paid(.uncertain(nil))) == .isBeingChecked)
        // A URL without https is refused before anything is sent.
        let relay = try #require(URL(string: "http://pay.example.com"))
        let client = makeClient(relay, Backend())
        var statuses: [PKPaymentAuthorizationStatus] = []
        await pay(try makeOrder(), AppleToken(json: [:]), client) { statuses.append($0.status) }
        #expect(statuses == [.failure])
        await #expect(throws: RelayError.self) { try await look(at: "ORDER-1001", client) }
    }
}
