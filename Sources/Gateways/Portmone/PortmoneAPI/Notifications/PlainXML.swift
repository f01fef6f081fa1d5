import PayrelayPrimitives

/// A parser for the subset of XML that ``BillsDocument`` needs: elements that contain either elements, or text
/// and CDATA sections.
///
/// Any other part of XML is rejected, not skipped: document types and entity declarations, attributes (and with
/// them namespaces), comments, processing instructions, and every entity except the five predefined ones and
/// numeric references. So a document cannot expand, refer to a file or hide a tag. Sizes and depth are limited,
/// and the text must be UTF-8.
struct PlainXML {
    /// An element with its content: child elements, or text.
    struct Element: Equatable {
        let name: String
        var children: [Element] = []
        var text = ""

        /// Returns the only child with this name; `nil` if there is none.
        ///
        /// - Throws: ``PlainXMLError/repeated(_:)`` if there are several.
        func child(_ name: String) throws(PlainXMLError) -> Element? {
            let named = children.filter { $0.name.isExactly(name) }
            guard named.count <= 1 else { throw .repeated(name) }
            return named.first
        }
    }

    static let sizeLimit = 65_536
    private static let depthLimit = 6
    private static let elementLimit = 2_000
    private static let nameLimit = 40
    private static let textLimit = 2_048

    let bytes: [UInt8]
    var position = 0
    private var elementCount = 0

    /// Parses a whole document.
    static func root(of bytes: [UInt8]) throws(PlainXMLError) -> Element {
        guard bytes.count <= sizeLimit else { throw .tooLarge }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
        var reader = PlainXML(bytes: bytes)
        try reader.skipDeclaration()
        reader.skipWhiteSpace()
        let root = try reader.readElement(depth: 1)
        reader.skipWhiteSpace()
        guard reader.position == bytes.count else { throw .unexpected(at: reader.position) }
        return root
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Skips the XML declaration in its usual spellings, such as `<?xml version="1.0" encoding="UTF-8"?>`. A
    /// declaration with another encoding is rejected.
    private mutating func skipDeclaration() throws(PlainXMLError) {
        guard has("<?xml ") else { return }
        for quote in ["\"", "'"] {
            for encoding in ["", " encoding=\(quote)UTF-8\(quote)", " encoding=\(quote)utf-8\(quote)"] {
                let declaration = "<?xml version=\(quote)1.0\(quote)\(encoding)?>"
                guard has(declaration) else { continue }
                position += declaration.utf8.count
                return
            }
        }
        throw .unexpected(at: position)
    }

    private mutating func readElement(depth: Int) throws(PlainXMLError) -> Element {
        guard depth <= Self.depthLimit else { throw .tooDeep }
        elementCount += 1
        guard elementCount <= Self.elementLimit else { throw .tooLarge }
        try expect("<")
        var element = Element(name: try readName())
        skipWhiteSpace()
        if has("/>") {
            position += 2
            return element
        }
        try expect(">")
        var text: [UInt8] = []
        while !has("</") {
            if has(Self.sectionStart) {
                try readSection(into: &text)
            } else if has("<") {
                element.children.append(try readElement(depth: depth + 1))
            } else {
                try readText(into: &text)
            }
        }
        try expect("</\(element.name)")
        skipWhiteSpace()
        try expect(">")
        guard element.children.isEmpty || text.allSatisfy(\.isASCIIWhiteSpace) else { throw .mixed }
        element.text = String(String(decoding: text, as: UTF8.self).trimmed)
        return element
    }

    private mutating func readName() throws(PlainXMLError) -> String {
        let start = position
        while position < bytes.count,
            bytes[position].isASCIILetter || bytes[position] == UInt8(ascii: "_")
                || position > start && bytes[position].isASCIIDigit
        {
            position += 1
        }
        guard (1...Self.nameLimit).contains(position - start) else { throw .unexpected(at: start) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static let sectionStart = "<![CDATA["
    private static let sectionEnd = "]]>"

    /// Reads one byte of text, or one reference.
    private mutating func readText(into text: inout [UInt8]) throws(PlainXMLError) {
        guard has("&") else {
            guard !has(Self.sectionEnd) else { throw .unexpected(at: position) }
            return try readByte(into: &text)
        }
        guard text.count < Self.textLimit else { throw .tooLarge }
        text += try readReference()
    }

    /// Reads a CDATA section (XML 1.0, 2.7). Everything before its end is text, even the start of another
    /// section.
    private mutating func readSection(into text: inout [UInt8]) throws(PlainXMLError) {
        try expect(Self.sectionStart)
        while !has(Self.sectionEnd) { try readByte(into: &text) }
        try expect(Self.sectionEnd)
    }

    private mutating func readByte(into text: inout [UInt8]) throws(PlainXMLError) {
        guard position < bytes.count else { throw .endsEarly }
        guard text.count < Self.textLimit else { throw .tooLarge }
        let byte = bytes[position]
        switch byte {
        // XML 1.0, 2.11: every line ending is read as LF.
        case 0x0D:
            text.append(0x0A)
            position += has("\r\n") ? 2 : 1
        case 0x20...0x7E, 0x80..., 0x09, 0x0A:
            text.append(byte)
            position += 1
        default: throw .unexpected(at: position)
        }
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    func has(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    mutating func expect(_ text: String) throws(PlainXMLError) {
        guard position < bytes.count else { throw .endsEarly }
        guard has(text) else { throw .unexpected(at: position) }
        position += text.utf8.count
    }
}
