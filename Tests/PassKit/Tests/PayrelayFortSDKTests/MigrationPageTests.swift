import Foundation
import PayrelayAPI
import PayrelayClient
import PayrelayPrimitives
import Testing

@testable import PayrelayFortSDK

@Suite struct MigrationPageTests {
    private static let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }
    private static let sample = root.deletingLastPathComponent()
        .appendingPathComponent("shared/reference/seeds/003_0fed9235f23c697c.txt")

    private static func page() throws -> String {
        try String(contentsOf: root.appendingPathComponent("docs/moving-from-fort-sdk.md"), encoding: .utf8)
    }

    /// Returns the rows of the table under a heading, without the table's head.
    private static func rows(under heading: String) throws -> [[String]] {
        let section = try #require(try page().components(separatedBy: "\n## \(heading)\n").dropFirst().first)
        let table = section.split(separator: "\n").drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.dropFirst(2).map { row in
            row.dropFirst().dropLast().components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test(
        "The page's left column is lines of the sample in FORT's documents, in order, and each stands there once",
        .enabled(if: FileManager.default.fileExists(atPath: sample.path)))
    func theWholeSample() throws {
        let lines = try String(contentsOf: Self.sample, encoding: .utf8).components(separatedBy: "\n")
            .drop { !$0.hasPrefix("#pragma mark") }
        var depth = 0
        let end = try #require(
            lines.firstIndex { line in
                depth += line.filter { $0 == "{" }.count - line.filter { $0 == "}" }.count
                return line == "}" && depth == 0
            })
        let left = try Self.rows(under: "The Apple Pay sample of FORT's documents").compactMap(\.first)
        #expect(lines[...end].count > 25)
        #expect(left.first == "`#import <PayFortSDK/PayFortSDK.h>`")
        #expect(lines[...end].map { "`\($0)`" }.filter(left.contains) == Array(left.dropFirst()))
    }

    @Test("The sample's changed lines name methods that PayFortController has")
    func theChangedLines() throws {
        let rows = try Self.rows(under: "The Apple Pay sample of FORT's documents")
        #expect(rows.count == 3)
        #expect(rows.allSatisfy { $0.count == 2 && $0[0] != $0[1] })
        let source = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/Clients/PayrelayFortSDK/PayFortController.swift"),
            encoding: .utf8)
        for selector in [
            "initWithEnviroment:relay:",
            "callPayFortForApplePayWithRequest:applePayPayment:currentViewController:Success:Faild:",
            "callPayFortWithRequest:currentViewController:paymentRequest:Success:Canceled:Faild:",
        ] {
            #expect(source.contains("@objc(\(selector))"))
        }
    }

    @Test("The page's response codes are those that the library gives")
    func theCodes() throws {
        let field = ValidationError(field: "amount", detail: "is wrong")
        let problem = ProblemDocument(.internal, "d")
        let request = try FortRequest(FortRequestTests.sample)
        var purchase = FortRequestTests.sample
        purchase["command"] = "PURCHASE"
        let purchaseRequest = try FortRequest(purchase)
        let document = try FortResponseTests.document("voided")
        let refunded = try FortResponseTests.document("refunded")
        let errors: [RelayError] = [
            .invalidFields([field]), .invalidFields([ValidationError(field: "amount", detail: "is required")]),
            .orderNotAllowed([field]), .tokenRefused(check: "freshness", detail: ""),
            .tokenRefused(check: nil, detail: ""), .simulatorToken, .tokenUsed, .referenceTaken(by: document),
            .notAuthenticated(detail: ""), .notPermitted(detail: ""), .noSuchPayment, .refused(problem),
            .nothingWasSent(retryAfter: nil), .noAnswer, .cancelled(mayHaveBeenSent: false),
            .orderTokenUnavailable(OrderTokenFailure(CancellationError())), .insecureConnection(detail: ""),
            .invalidConfiguration(""),
        ]
        let results: [PaymentResult] = [
            .authorized(document), .declined(document), .notProcessed(document), .returned(document),
            .returned(refunded), .uncertain(nil),
        ]
        var given: Set<String> = []
        for request in [request, purchaseRequest] {
            let outcomes = errors.map { Result<PaymentResult, RelayError>.failure($0) } + results.map { .success($0) }
            for outcome in outcomes {
                given.insert(try #require(FortResponse(outcome, of: request).fields["response_code"]))
            }
        }
        let page = try Self.page()
        let table = try #require(page.components(separatedBy: "| `response_code` | closure |").last)
        let listed = table.components(separatedBy: "\n\n")[0].components(separatedBy: "`")
            .filter { $0.count == 5 && $0.allSatisfy(\.isNumber) }
        #expect(Set(listed) == given)
    }
}
