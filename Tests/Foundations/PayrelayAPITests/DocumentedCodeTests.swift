import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing
import Yams

/// Checks the code in the documentation with the programs that read such code.
@Suite struct DocumentedCodeTests {
    @Test("A block of JSON is valid JSON, apart from the parts that … leaves out", arguments: DocumentationPage.all)
    func blocksOfJSON(_ page: DocumentationPage) throws {
        for block in page.blocks where block.language == "json" {
            // The text may contain `{ … FORT's whole answer … }`, and may leave out members at the end.
            let text = block.text.replacing(/\{ …[^{}]*… \}/, with: "{}").replacing(/,\s*…/, with: "")
            // Answers to several requests are on one line each.
            let isOnLines = text.split(separator: "\n").allSatisfy { (try? JSON(parsing: Array($0.utf8))) != nil }
            #expect(throws: Never.self, "\(block)") { if !isOnLines { _ = try JSON(parsing: Array(text.utf8)) } }
        }
    }

    @Test("A block of YAML is YAML", arguments: DocumentationPage.all)
    func blocksOfYAML(_ page: DocumentationPage) throws {
        for block in page.blocks where block.language == "yaml" {
            #expect(throws: Never.self, "\(block)") { try Yams.compose(yaml: block.text) }
        }
    }

    @Test("A block of a program is read by its language", arguments: DocumentationPage.all)
    func blocksOfPrograms(_ page: DocumentationPage) throws {
        let folder = try TemporaryFolder()
        for (number, block) in page.blocks.enumerated() {
            let reader: [String]
            switch block.language {
            case "sh": reader = ["/bin/bash", "-n", try folder.file("\(number).sh", block.text)]
            case "js": reader = ["/usr/bin/node", "--check", try folder.file("\(number).mjs", block.text)]
            case "php":
                let text = block.text.hasPrefix("<?php") ? block.text : "<?php\n" + block.text
                reader = ["/usr/bin/php", "--syntax-check", try folder.file("\(number).php", text)]
            case "python":
                let compile = "import sys; compile(open(sys.argv[1]).read(), 'block', 'exec')"
                reader = ["/usr/bin/python3", "-c", compile, try folder.file("\(number).py", block.text)]
            default: continue
            }
            // Only bash is installed on every machine.
            guard FileManager.default.isExecutableFile(atPath: reader[0]) else { continue }
            let read = try FinishedProgram(reader, withErrors: true)
            #expect(read.succeeded, "\(block): \(read.text)")
        }
    }

    @Test("Every target of make that the documentation names is one", arguments: DocumentationPage.all)
    func targetsOfMake(_ page: DocumentationPage) throws {
        let makefile = try String(contentsOf: Project.url("Makefile"), encoding: .utf8)
        var targets: Set<Substring> = []
        for rule in makefile.matches(of: /(?m)^(?<names>[a-z][a-z -]*):(?!=)/) {
            targets.formUnion(rule.output.names.split(separator: " "))
        }
        for command in page.commands {
            for match in command.matches(of: /(?:^|[;&|(] *|= *\S+ +)make (?<target>[a-z][a-z-]*)/) {
                #expect(targets.contains(match.output.target), "\(page): make \(match.output.target)")
            }
        }
    }

    /// The changelog is left out, because it uses the names that settings had at the time.
    @Test(
        "Every variable PAYRELAY_… that the documentation names is read somewhere",
        arguments: DocumentationPage.all.filter { $0.path != "CHANGELOG.md" })
    func variables(_ page: DocumentationPage) {
        let known = Self.variables
        for match in page.text.matches(of: /PAYRELAY_[A-Z0-9_]+/) {
            let name = String(match.output)
            // `PAYRELAY_APPLE_PAY_…` means all names with this beginning, and each secret may be in a file.
            let isKnown =
                known.contains(name) || known.contains(name.replacing(/_FILE$/, with: ""))
                || name.hasSuffix("_") && known.contains { $0.hasPrefix(name) }
            #expect(isKnown, "\(page): \(name)")
        }
    }

    /// The variables in the table of settings, which a test compares with the code, and the variables that programs beside the
    /// relay read.
    private static let variables: Set<String> = {
        let files = FileManager.default
        var names: Set<String> = []
        for page in DocumentationPage.all where page.path == "docs/configuration.md" {
            names.formUnion(page.text.matches(of: /(?m)^\|`(PAYRELAY_[A-Z0-9_]+)`/).map { String($0.1) })
        }
        var sources = ["Makefile"]
        for folder in ["Sources", "Tests", "Examples", "docker", "Benchmarks/Sources", "monitoring"] {
            let paths = files.enumerator(atPath: Project.url(folder).path)
            for case let path as String in paths ?? .init() where !path.hasSuffix(".md") && !path.contains(".build/") {
                sources.append("\(folder)/\(path)")
            }
        }
        for source in sources {
            let url = Project.url(source)
            guard let text = try? String(contentsOf: url, encoding: .utf8), text.contains("PAYRELAY_") else { continue }
            // Matching line by line is much faster than matching a whole file.
            for line in text.split(separator: "\n") where line.contains("PAYRELAY_") {
                names.formUnion(line.matches(of: /PAYRELAY_[A-Z0-9_]*[A-Z0-9]/).map { String($0.output) })
            }
        }
        return names
    }()
}
