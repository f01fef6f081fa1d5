import Foundation
import TestPrograms
import Testing

/// Compares quotations in the documentation with the quoted code and files.
@Suite struct QuotedTextTests {
    /// The text of all source files, one after another.
    private static let code: String = {
        let folder = Project.url("Sources")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".swift") }.compactMap {
            try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }.joined(separator: "\n")
    }()

    private static func page(_ path: String) throws -> DocumentationPage {
        try #require(DocumentationPage.all.first { $0.path == path })
    }

    @Test("Every title of a problem in an example is one that the relay gives")
    func titlesAreTheRelays() {
        var seen = 0
        for block in DocumentationPage.all.flatMap(\.blocks) {
            for match in block.text.matches(of: /"title": ?"(?<title>[^"]+)"/) {
                #expect(Self.code.contains("\"\(match.title)\""), "\(block)")
                seen += 1
            }
        }
        #expect(seen >= 3)
    }

    @Test("The doctor's advice in an example is its real advice")
    func advicesAreTheDoctors() throws {
        let lines = try Self.page("docs/production-checklist.md").text.split(separator: "\n")
        let advices = lines.filter { $0.hasPrefix("       -> ") }.map { String($0.dropFirst("       -> ".count)) }
        #expect(advices.count >= 3)
        for advice in advices { #expect(Self.code.contains(advice), "\(advice)") }
    }

    @Test("Certificates alert when the page says that they do")
    func daysAreTheAlerts() throws {
        let alerts = try String(contentsOf: Project.url("monitoring/alerts.yaml"), encoding: .utf8)
        func days(_ alert: String) throws -> Substring {
            let rule = try #require(alerts.split(separator: "- alert: \(alert)\n").last)
            return try #require(rule.firstMatch(of: /< (?<days>[0-9]+)/)).days
        }
        let sentence = try [
            "Alerts fire \(days("ProcessingCertificateEnds")) days before the processing certificate ends",
            "\(days("OwnCertificateEnds")) before the relay's others", "\(days("AppleCertificateEnds")) before Apple's",
            "and page \(days("ProcessingCertificateEndsNow")) and \(days("OwnCertificateEndsNow")) days before",
        ].joined(separator: ", ")
        #expect(try Self.page("docs/renewing-certificates.md").text.contains(sentence), "\(sentence)")
    }

    @Test("Every alert is in the runbook's table, in bold if it pages")
    func alertsAreInTheRunbook() throws {
        let rules = try String(contentsOf: Project.url("monitoring/alerts.yaml"), encoding: .utf8)
            .split(separator: "- alert: ").dropFirst()
        let table = try #require(
            try Self.page("docs/runbook.md").text.split(separator: "| alert | symptom | section |").last?
                .split(separator: "\n\n").first)
        #expect(rules.count > 30)
        for rule in rules {
            let name = rule.prefix { $0 != "\n" }
            let pages = try #require(rule.firstMatch(of: /severity: (?<word>[a-z]+)/)).word == "page"
            #expect(table.contains(pages ? "**`\(name)`**" : " `\(name)`"), "\(name)")
        }
    }

    @Test("Every log message of the table in metrics.md is one that the relay logs")
    func messagesAreTheRelays() throws {
        let text = try Self.page("docs/metrics.md").text
        let table = try #require(text.split(separator: "| message | logged for | fields |").last)
        let rows = table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
        #expect(rows.count >= 3)
        for row in rows {
            let message = try #require(row.firstMatch(of: /^\| `(?<message>[^`]+)` \|/)).message
            let call = try Regex("ogger\\.[a-z]+\\(\\s*\"\(message)\"")
            #expect(try call.firstMatch(in: Self.code) != nil, "\(message)")
        }
    }

    @Test(
        "A supervisor waits for as long as the runbook says that a stop may take",
        arguments: [
            ("packaging/payrelay.service", "TimeoutStopSec="), ("docker/compose.yaml", "stop_grace_period: "),
            ("docker/compose.three.yaml", "stop_grace_period: "),
            ("docker/kubernetes/payrelay.yaml", "terminationGracePeriodSeconds: "),
            ("docs/container.md", "--stop-timeout "), ("docs/installation.md", "`TimeoutStopSec` (["),
            ("docs/production-checklist.md", "(runbook.md#stop-and-start), "),
        ])
    func stopTimesAreTheRunbooks(path: String, before: String) throws {
        let runbook = try #require(Self.numbers(after: "20 seconds: ", in: try Self.page("docs/runbook.md").text).first)
        let text = try String(contentsOf: Project.url(path), encoding: .utf8).replacing(/\s+/, with: " ")
        let times = Self.numbers(after: before, in: text)
        let drain = Self.numbers(after: "PAYRELAY_DRAIN_SECONDS: \"", in: text).first ?? 0
        #expect(!times.isEmpty && times.allSatisfy { $0 == runbook + drain }, "\(times)")
    }

    @Test(
        "Every nginx of ours sets the header fields that the example's does: a customer's Forwarded reaches no relay",
        arguments: ["docs/apple-pay-on-the-web.md", "docker/nginx.conf"])
    func headerFieldsAreTheExamples(path: String) throws {
        func fields(_ path: String) throws -> Set<Substring> {
            let text = try String(contentsOf: Project.url(path), encoding: .utf8)
            return Set(text.matches(of: /proxy_set_header (?<name>[A-Za-z-]+)/).map { $0.output.name })
        }
        let example = try fields("Examples/web-shop/nginx.conf")
        #expect(example.contains("Forwarded"))
        #expect(try fields(path).isSuperset(of: example), "\(example)")
    }

    @Test("No proxy of ours repeats a POST: a client that repeats it knows that the first may have arrived")
    func noProxyRepeatsAPayment() throws {
        var seen = 0
        for folder in ["docs", "docker", "packaging", "Examples", "Tests/Failover", "Tests/Web"] {
            let url = Project.url(folder)
            let files = try #require(FileManager.default.enumerator(atPath: url.path))
            for case let file as String in files {
                guard let text = try? String(contentsOf: url.appending(path: file), encoding: .utf8) else { continue }
                #expect(!text.contains("non_idempotent"), "\(folder)/\(file)")
                seen += 1
            }
        }
        #expect(seen > 100)
    }

    private static func numbers(after text: String, in page: String) -> [Int] {
        page.split(separator: text).dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
    }
}
