import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

@testable import PortmoneAPI

@Suite struct PlainXMLTests {
    static let document = """
        <?xml version="1.0" encoding="UTF-8"?>
        <BILLS><BILL><PAYEE><NAME>Крамниця &amp; Co</NAME><CODE>1185</CODE></PAYEE><BANK><NAME/><CODE/><ACCOUNT/></BANK>
        <BILL_ID>550298815</BILL_ID><BILL_NUMBER>ORDER-1</BILL_NUMBER><PAYED_AMOUNT>1.01</PAYED_AMOUNT>
        <PAYER><CONTRACT_NUMBER>&#1040;&#x42;</CONTRACT_NUMBER></PAYER></BILL></BILLS>
        """

    private func read(_ text: String) throws(PlainXMLError) -> PlainXML.Element {
        try PlainXML.root(of: Array(text.utf8))
    }

    @Test("elements and texts are read, with the five entities and numeric references")
    func reads() throws {
        let bill = try #require(try read(Self.document).children.first)
        let payee = try #require(try bill.child("PAYEE"))
        #expect(try payee.child("NAME")?.text == "Крамниця & Co")
        #expect(try bill.child("BILL_NUMBER")?.text == "ORDER-1")
        #expect(try bill.child("PAYER")?.child("CONTRACT_NUMBER")?.text == "АB")
        #expect(try bill.child("BANK")?.child("ACCOUNT")?.text == "")
        #expect(try read("<a>&lt;&gt;&quot;&apos;&amp;amp;</a>").text == "<>\"'&amp;")
    }

    @Test("a CDATA section is text up to its first end")
    func sections() throws {
        #expect(try read("<a><![CDATA[<b>&amp;</b>]]></a>") == PlainXML.Element(name: "a", text: "<b>&amp;</b>"))
        #expect(try read("<a>x<![CDATA[]]><![CDATA[\r\ny]]]>&#122;</a>").text == "x\ny]z")
        #expect(try read("<a><![CDATA[<![CDATA[]]></a>").text == "<![CDATA[")
        #expect(try read("<a> <![CDATA[ ]]> <b/></a>").children.count == 1)
    }

    @Test(
        "S6: everything else that XML can have is refused",
        arguments: [
            // Entities and document types: bombs, files, addresses.
            #"<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>"#,
            #"<!DOCTYPE a [<!ENTITY a0 "x"><!ENTITY a1 "&a0;&a0;">]><a>&a1;</a>"#,
            #"<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>"#,
            #"<?xml version="1.0"?><!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/">%p;]><a/>"#,
            "<!doctype a><a/>", "<a>&b;</a>", "<a>&nbsp;</a>", "<a>&AMP;</a>", "<a>&amp</a>", "<a>&;</a>", "<a>&</a>",
            "<a>&#;</a>", "<a>&#x;</a>", "<a>&#xZ;</a>", "<a>&#A;</a>", "<a>&#0;</a>", "<a>&#8;</a>", "<a>&#127;</a>",
            "<a>&#xD800;</a>", "<a>&#xFFFE;</a>", "<a>&#x110000;</a>", "<a>&#99999999999999999999;</a>",
            "<a>&#X41;</a>", "<a>&# 65;</a>", "<a>&#-65;</a>", "<a>&#65</a>",
            // Constructs that can hide a tag.
            "<a><!-- b --></a>", "<!-- b --><a/>", "<a/><!-- b -->", "<a>]]></a>",
            "<a><![CDATA[b</a>", "<a><![CDATA[b]]</a>", "<a><![CDATA[b<![CDATA[c]]>]]></a>", "<a><![cdata[b]]></a>",
            "<a><![CDATA [b]]></a>", "<a><![CDATA[\u{1}]]></a>", "<a><![CDATA[\u{7F}]]></a>",
            "<a><b/><![CDATA[c]]></a>", "<![CDATA[b]]><a/>", "<a/><![CDATA[b]]>", "<![CDATA[<a/>]]>", "<a><![CDATA[",
            "<a><![INCLUDE[b]]></a>",
            "<a><?b?></a>", "<?b?><a/>", #"<?xml-stylesheet href="x"?><a/>"#, #"<?xml version="1.1"?><a/>"#,
            #"<?xml version="1.0" standalone="yes"?><a/>"#,
            // Encodings.
            #"<?xml version="1.0" encoding="UTF-16"?><a/>"#, #"<?xml version="1.0" encoding="windows-1251"?><a/>"#,
            #"<?xml version="1.0" encoding="UTF-7"?><a/>"#, "\u{FEFF}<a/>", " <?xml version=\"1.0\"?><a/>",
            // Attributes and namespaces.
            #"<a b="c"/>"#, #"<a xmlns="urn:b"/>"#, "<a:b/>", "<a b/>", "<a  b='1'></a>",
            // Documents that are not well-formed, or have more than one root.
            "", " ", "a", "<a>", "</a>", "<a></b>", "<a></A>", "<a/><a/>", "<a/>b", "b<a/>", "<a><b></a></b>", "< a/>",
            "<a></ a>", "<a/ >", "<1/>", "<a-b/>", "<а/>", "<a>b<c/></a>", "<a><c/>b</a>", "<a", "<a><b",
            "<a>&amp;<b/></a>",
            "<a>\u{0}</a>", "<a>\u{1}</a>", "<a>\u{7F}</a>", "<a\u{0}/>", "<a></a\u{0}>", "<<a/>", "<>x</>",
        ])
    func refuses(text: String) {
        #expect(throws: PlainXMLError.self) { try read(text) }
    }

    @Test("S6: a document has bounds: bytes, depth, elements, the length of names and texts")
    func bounds() throws {
        #expect(throws: PlainXMLError.tooLarge) { try read("<a>" + String(repeating: " ", count: 70_000) + "</a>") }
        #expect(throws: PlainXMLError.tooDeep) { try read(String(repeating: "<a>", count: 10_000)) }
        #expect(throws: PlainXMLError.tooDeep) {
            try read(String(repeating: "<a>", count: 7) + String(repeating: "</a>", count: 7))
        }
        #expect(throws: PlainXMLError.tooLarge) { try read("<a>" + String(repeating: "<b/>", count: 2_001) + "</a>") }
        #expect(throws: PlainXMLError.tooLarge) { try read("<a>" + String(repeating: "x", count: 3_000) + "</a>") }
        #expect(throws: PlainXMLError.tooLarge) { try read("<a>" + String(repeating: "&amp;", count: 3_000) + "</a>") }
        #expect(throws: PlainXMLError.self) { try read("<\(String(repeating: "a", count: 41))/>") }
        #expect(throws: PlainXMLError.tooLarge) {
            try read("<a><![CDATA[" + String(repeating: "x", count: 3_000) + "]]></a>")
        }
        #expect(throws: PlainXMLError.tooLarge) {
            try read("<a>" + String(repeating: "<![CDATA[x]]>", count: 3_000) + "</a>")
        }
        #expect(throws: PlainXMLError.tooLarge) { try read("<a>" + String(repeating: "<![CDATA[", count: 6_000)) }
    }

    @Test(
        "a document that was cut off is named as that, and not as too large",
        arguments: ["", "<a>", "<a>b", "<a>b&amp;", "<a><![CDATA[b", "<a>b</a"])
    func endsEarly(text: String) {
        #expect(throws: PlainXMLError.endsEarly) { try read(text) }
    }

    @Test("bytes that are not UTF-8 are refused")
    func encodings() {
        #expect(throws: PlainXMLError.notUTF8) {
            try PlainXML.root(of: Array("<a>".utf8) + [0xC0, 0x80] + Array("</a>".utf8))
        }
        #expect(throws: PlainXMLError.notUTF8) {
            try PlainXML.root(of: [0xFF, 0xFE, 0x3C, 0, 0x61, 0, 0x2F, 0, 0x3E, 0])
        }
    }

    /// The reference is expat, which Python includes: expat accepts every document that this reader accepts, and both read the
    /// same content.
    @Test(
        "S2: a damaged document that is accepted is read as another parser reads it",
        .enabled(if: Self.python != nil, "needs Python"))
    func agreesWithExpat() throws {
        var random = SeededGenerator(seed: 34)
        let pieces = [
            "<", ">", "/", "&", "amp;", "#65;", "<A>", "</A>", "<BILL>", "</BILL>", "<B/>", "]]>", "<!--", "-->", "\"",
            " ", "x", "é", "<![CDATA[", "<![CDATA[<B>&]]>", "<?", "\r\n", "\r",
        ]
        var documents: [[UInt8]] = [Array(Self.document.utf8)]
        for _ in 0..<8_000 {
            var bytes = Array(Self.document.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0x09...0x7F, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...8, using: &random)))
                case 2:
                    bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8, at: place)
                default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
                }
            }
            documents.append(bytes)
        }
        let input = JSON.array(documents.map { .string(Base64Text(encoding: $0).text) }).encoded()
        let finished = try FinishedProgram(
            [try #require(Self.python), "-c", Self.reference], environment: ["PYTHONDONTWRITEBYTECODE": "1"],
            input: Data(input))
        let answers = try #require(try JSON(parsing: Array(finished.output), depthLimit: 64).arrayValue)
        #expect(answers.count == documents.count)
        var read = 0
        for (document, reference) in zip(documents, answers) {
            guard let root = try? PlainXML.root(of: document) else { continue }
            read += 1
            #expect(reference == Self.json(root), "\(String(decoding: document, as: UTF8.self))")
        }
        // Most of the accepted documents have only changed letters in a text.
        #expect(read > 200)
    }

    private static func json(_ element: PlainXML.Element) -> JSON {
        [.string(element.name), .string(element.text), .array(element.children.map(json))]
    }

    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
        where: FileManager.default.isExecutableFile(atPath:))

    private static let reference = """
        import base64, json, sys
        import xml.etree.ElementTree as tree
        def plain(e):
            text = "" if len(e) else (e.text or "").strip(" \\t\\r\\n")
            return [e.tag, text, [plain(c) for c in e]]
        answers = []
        for document in json.load(sys.stdin):
            try:
                answers.append(plain(tree.fromstring(base64.b64decode(document))))
            except Exception:
                answers.append(None)
        json.dump(answers, sys.stdout)
        """
}
