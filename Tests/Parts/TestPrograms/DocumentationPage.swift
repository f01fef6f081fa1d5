import Foundation

/// A page of the project's documentation, in Markdown: its fenced blocks, and its code spans.
public struct DocumentationPage: Sendable, CustomStringConvertible {
    /// The path in the project.
    public let path: String
    public let text: String
    public let blocks: [Block]
    /// The code spans outside of blocks, each on one line.
    public let spans: [String]

    public var description: String { path }

    /// The text between two fences.
    public struct Block: Sendable, CustomStringConvertible {
        /// The word after the opening fence, or an empty text.
        public let language: String
        public let text: String
        /// The path of the page, and the line of the opening fence.
        public let description: String
    }

    /// The pages of the documentation: in the root, in docs, and beside the examples.
    public static let all: [DocumentationPage] = {
        let files = FileManager.default
        let documents = (try? files.contentsOfDirectory(atPath: Project.url("docs").path)) ?? []
        let examples = (try? files.contentsOfDirectory(atPath: Project.url("Examples").path)) ?? []
        let paths =
            ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "certs/README.md"]
            + documents.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
            + examples.sorted().map { "Examples/\($0)/README.md" }
        return paths.compactMap { try? DocumentationPage($0) }
    }()

    private init(_ path: String) throws {
        let text = try String(contentsOf: Project.url(path), encoding: .utf8)
        self.path = path
        self.text = text
        var blocks: [Block] = []
        var prose: [Substring] = []
        var open: (fence: Substring, indent: Int, language: String, line: Int, lines: [Substring])?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0 == " " }
            if let block = open {
                if content == block.fence {
                    blocks.append(
                        Block(
                            language: block.language, text: block.lines.joined(separator: "\n") + "\n",
                            description: "\(path):\(block.line)"))
                    open = nil
                } else {
                    // A block in a list is indented as the list is.
                    let indent = line.prefix(block.indent).prefix { $0 == " " }.count
                    open?.lines.append(line.dropFirst(indent))
                }
            } else if content.hasPrefix("```") {
                let fence = content.prefix { $0 == "`" }
                open = (fence, line.count - content.count, String(content.dropFirst(fence.count)), number + 1, [])
            } else {
                prose.append(line)
            }
        }
        self.blocks = blocks
        spans = prose.joined(separator: "\n").split(separator: "\n\n").flatMap { paragraph in
            paragraph.matches(of: /`(?<code>[^`]+)`/).map { span in
                span.output.code.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
        }
    }

    /// The shell lines of the page: of `sh` blocks, after the prompts of `console` blocks, and in code spans.
    public var commands: [String] {
        var commands = spans
        for block in blocks where ["sh", "console"].contains(block.language) {
            let joined = block.text.replacing("\\\n", with: " ")
            for line in joined.split(separator: "\n") {
                if block.language == "sh" {
                    commands.append(String(line))
                } else if line.hasPrefix("$ ") {
                    commands.append(String(line.dropFirst(2)))
                }
            }
        }
        return commands
    }
}
