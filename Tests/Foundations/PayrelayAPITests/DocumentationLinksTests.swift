import Foundation
import TestPrograms
import Testing

/// Every link in the documentation has a target.
struct DocumentationLinksTests {
    static let pages: [String] = {
        let documents = (try? FileManager.default.contentsOfDirectory(atPath: Project.url("docs").path)) ?? []
        return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
            + documents.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }()

    @Test("A link of the documentation leads to a file, and to a heading if it names one", arguments: pages)
    func linksLead(_ page: String) throws {
        let url = Project.url(page)
        let text = try String(contentsOf: url, encoding: .utf8)
        for match in text.matches(of: /\]\((?<target>[^)\s]+)\)/) {
            let target = String(match.output.target)
            guard !target.hasPrefix("http"), !target.hasPrefix("mailto:") else { continue }
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let file =
                parts[0].isEmpty ? url : url.deletingLastPathComponent().appending(path: String(parts[0])).standardized
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(target)")
            guard parts.count == 2, file.pathExtension == "md",
                let linked = try? String(contentsOf: file, encoding: .utf8)
            else { continue }
            #expect(Self.anchors(in: linked).contains(String(parts[1])), "\(page): \(target)")
        }
    }

    @Test("Each page of docs is linked from another page")
    func pagesAreLinked() throws {
        let texts = try Self.pages.map { page in
            (page, try String(contentsOf: Project.url(page), encoding: .utf8))
        }
        for page in Self.pages where page.hasPrefix("docs/") {
            let name = String(page.dropFirst("docs/".count))
            #expect(texts.contains { $0.0 != page && $0.1.contains("\(name)") }, "no page links \(page)")
        }
    }

    /// Returns the anchors that GitHub makes of headings, and those that the text writes itself.
    private static func anchors(in text: String) -> Set<String> {
        var anchors = Set(text.matches(of: /<a id="([^"]+)">/).map { String($0.1) })
        for line in text.split(separator: "\n") where line.hasPrefix("#") {
            let heading = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
            anchors.insert(
                String(
                    heading.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.output.1) }
                        .compactMap { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : $0 == " " ? "-" : nil }))
        }
        return anchors
    }
}
