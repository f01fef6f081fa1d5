import PayrelayPrimitives
import Yams

/// The settings in a YAML file, by their keys. The file is not trusted: it is read up to a size limit, and
/// unexpected content is an error and never a trap or a wait.
///
/// The file is parsed with Yams directly. swift-configuration's provider for YAML does not list the keys of a
/// file, so a misspelt key would be mistaken for a default, and it does not report the lines of values.
package struct ConfigurationFile: Sendable {
    package let path: String
    private(set) var values: [String: Value] = [:]
    /// The account names under `SECTION.accounts`, by section.
    private(set) var accountNames: [String: [String]] = [:]
    private let catalog: SettingCatalog
    /// Every path that may lead to a key, such as `http`, `fort` and `fort.accounts`.
    private let sections: Set<String>
    private let settings: [String: Setting]
    private(set) var errors: [SettingError] = []

    package struct Value: Sendable {
        /// The value as text. The items of a list are separated by commas, as in the environment.
        let text: String
        let line: Int
    }

    static let bytesMax = 262_144
    /// The maximum number of errors that are collected.
    static let errorsMax = 100

    /// - Throws: ``ConfigurationError`` if the file cannot be read or is not YAML.
    package init(path: String, of catalog: SettingCatalog) throws(ConfigurationError) {
        self.path = path
        self.catalog = catalog
        sections = Set(
            catalog.all.compactMap { $0.key.parts(at: ".").dropLast().first.map(String.init) }
                + catalog.accounts.map { $0.section + ".accounts" })
        settings = Dictionary(
            uniqueKeysWithValues: catalog.all.flatMap { $0.isSecret ? [$0, $0.file] : [$0] }.map { ($0.key, $0) })
        let text: String
        do throws(UnreadableFile) {
            text = try String(ofFile: path, bytesMax: Self.bytesMax)
        } catch {
            throw Self.unusable(path, "cannot be read: \(error)")
        }
        // Yams compares the keys of a mapping with all aliases resolved, which would take practically for ever
        // with a few dozen aliases.
        guard Self.aliasCount(text) <= 16 else { throw Self.unusable(path, "has anchors or aliases") }
        do {
            let parser = try Parser(yaml: text)
            let root = try parser.singleRoot()
            // Nodes refer to their anchors weakly, so the parser must stay alive.
            withExtendedLifetime(parser) { if let root { collect(root, at: []) } }
        } catch {
            throw Self.unusable(path, "is not YAML: \(Self.words(for: error))")
        }
    }

    private static func unusable(_ path: String, _ problem: String) -> ConfigurationError {
        ConfigurationError(errors: [
            SettingError(
                name: path, source: nil, problem: problem,
                advice: "Name a YAML file of at most \(bytesMax) bytes with --config or PAYRELAY_CONFIG.")
        ])
    }

    // MARK: Tree

    /// Whether the path is one of ``sections`` or an account.
    private func isSection(_ path: [String]) -> Bool {
        path.isEmpty || sections.contains(path.joined(separator: "."))
            || path.count == 3 && catalog.accounts(at: path) != nil
    }

    private func setting(at path: [String]) -> Setting? {
        guard path.count == 4, let accounts = catalog.accounts(at: path) else {
            return settings[path.joined(separator: ".")]
        }
        let key = path.joined(separator: ".")
        return accounts.settings(of: path[2]).flatMap { $0.isSecret ? [$0, $0.file] : [$0] }.first { $0.key == key }
    }

    private mutating func collect(_ node: Node, at path: [String]) {
        guard errors.count < Self.errorsMax else { return }
        guard node.anchor == nil else { return add(node, path, "has an anchor: anchors and aliases are not supported") }
        if isSection(path) {
            collectSection(node, at: path)
        } else if let setting = setting(at: path) {
            collect(node, of: setting)
        } else {
            let advice = NearestName.advice(for: path.joined(separator: "."), among: names(beside: path))
            add(node, path, "is not a setting\(advice)")
        }
    }

    private mutating func collectSection(_ node: Node, at path: [String]) {
        if path.count == 3 { accountNames[path[0], default: []].append(path[2]) }
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                guard let name = key.scalar?.string, !name.isEmpty, key.anchor == nil else {
                    add(key, path, "has a key that is not a plain text")
                    continue
                }
                if name.has(".") {
                    add(key, path + [name], "has a dot in its name: nest the keys instead")
                } else {
                    collect(value, at: path + [name])
                }
            }
        case .scalar where node.isNothing: break
        case .scalar, .sequence, .alias: add(node, path, "must have settings, nested by their names")
        }
    }

    private mutating func collect(_ node: Node, of setting: Setting) {
        let line = node.mark?.line ?? 0
        switch (node, setting.kind) {
        case (.scalar(let scalar), _):
            if !node.isNothing { values[setting.key] = Value(text: scalar.string, line: line) }
        case (.sequence(let sequence), .list):
            let items = sequence.compactMap { $0.anchor == nil ? $0.scalar?.string : nil }
            if items.count == sequence.count, !items.contains(where: { $0.has(",") || $0.isEmpty }) {
                values[setting.key] = Value(text: items.joined(separator: ","), line: line)
            } else {
                add(node, setting, "must be a list of texts, none of them empty or with a comma")
            }
        case (.sequence, _): add(node, setting, "must be \(setting.kind.requirement), not a list")
        case (.mapping, _), (.alias, _):
            add(node, setting, "must be \(setting.kind.requirement), not nested keys")
        }
    }

    private mutating func add(_ node: Node, _ path: [String], _ problem: String) {
        let name = path.isEmpty ? "the file" : path.joined(separator: ".")
        errors.append(
            SettingError(
                name: NearestName.shown(name), source: .file(path: self.path, line: node.mark?.line ?? 0),
                problem: problem, advice: "docs/configuration.md and `payrelay config example` have every setting."))
    }

    private mutating func add(_ node: Node, _ setting: Setting, _ problem: String) {
        errors.append(
            SettingError(
                name: setting.key, source: .file(path: path, line: node.mark?.line ?? 0), problem: problem,
                advice: setting.advice))
    }

    /// Returns the names that could have been meant at a path.
    private func names(beside path: [String]) -> [String] {
        if path.count == 4, let accounts = catalog.accounts(at: path) {
            return accounts.settings(of: path[2]).flatMap { $0.isSecret ? [$0.key, $0.file.key] : [$0.key] }
        }
        return Array(settings.keys) + sections
    }

    // MARK: YAML

    /// Returns the number of words that may be anchors or aliases, not counting those in comments. A comment with
    /// characters beyond ASCII is counted, because some of those characters are line breaks, which end the
    /// comment.
    private static func aliasCount(_ text: String) -> Int {
        let openers: Set<UInt8> = [UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":")]
        var count = 0
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let start = line.first { $0 != 0x20 && $0 != 0x09 }
            if start == UInt8(ascii: "#"), line.allSatisfy({ $0 < 0x80 }) { continue }
            var isStart = true
            for byte in line {
                if isStart, byte == UInt8(ascii: "*") || byte == UInt8(ascii: "&") { count += 1 }
                isStart = byte <= 0x20 || byte >= 0x80 || openers.contains(byte)
            }
        }
        return count
    }

    /// Returns the parser's message without the surrounding text of the file, which may contain a secret.
    private static func words(for error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "line \(mark.line), column \(mark.column): \(problem)"
        case .duplicatedKeysInMapping(let names, let context):
            "line \(context.mark.line): the key \(NearestName.shown(names.first ?? "")) occurs twice"
        case .reader(let problem, _, _, _): problem
        default: "it cannot be parsed"
        }
    }
}

extension Node {
    /// Whether the node has no value: it is empty, `~` or `null`, unquoted.
    fileprivate var isNothing: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}
