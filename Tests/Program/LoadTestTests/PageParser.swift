import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads a page with another parser than the browser's: what is not closed or not escaped is an error.
final class PageParser: NSObject, XMLParserDelegate {
    /// How often each element stands there.
    private(set) var elements: [String: Int] = [:]
    /// Every point of every line.
    private(set) var points: [(Double, Double)] = []

    static func parse(_ text: String) throws -> PageParser {
        let page = PageParser()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = page
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
        return page
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements[name, default: 0] += 1
        guard name == "path", let commands = attributes["d"] else { return }
        for command in commands.split(whereSeparator: { "ML".contains($0) }) {
            let numbers = command.split(separator: " ").compactMap { Double($0) }
            points.append((numbers[0], numbers[1]))
        }
    }
}
