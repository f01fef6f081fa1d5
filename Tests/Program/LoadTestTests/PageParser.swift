import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Parses a page as XML, not as a browser does: a missing end tag or a missing escape is an error.
final class PageParser: NSObject, XMLParserDelegate {
    /// The number of times that each element occurs.
    private(set) var elements: [String: Int] = [:]
    /// The points of all lines in the charts.
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
