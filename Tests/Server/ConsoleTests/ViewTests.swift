import Mustache
import Testing

@testable import Console

@Suite struct ViewTests {
    private func render(_ text: String) throws -> String {
        try MustacheTemplate(string: #"<a title="{{text}}">{{text}}</a>"#).render(View.parts(["text": .text(text)]))
    }

    @Test func everyCharacterOfMarkupIsEscaped() throws {
        #expect(
            try render(#"<b onclick='x'>"&"#)
                == #"<a title="&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;">&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;</a>"#)
    }

    @Test(
        "a mark that joins a quotation mark does not keep it from being escaped",
        arguments: [
            "\"\u{301} onfocus=x", "\u{600}\" onfocus=x", "\"\u{200D}\u{301}x", "<\u{338}b", "a\u{301}'\u{20DD}",
        ])
    func joinedMarkupIsEscaped(text: String) throws {
        let inside = try render(text).dropFirst(#"<a title=""#.count)
        let end = try #require(inside.unicodeScalars.firstIndex(of: "\""))
        // The first quotation mark is the template's own, and so is the bracket behind it.
        #expect(inside.unicodeScalars[end...].dropFirst().first == ">")
        #expect(inside.unicodeScalars.count { $0 == "<" } == 1)
        #expect(!inside.unicodeScalars.contains("'"))
    }

    @Test func otherTextIsShownAsItIs() throws {
        for text in ["سارة", "e\u{301}", "👩‍👧", "a\r\nb", ""] {
            #expect(try render(text) == "<a title=\"\(text)\">\(text)</a>")
        }
    }

    @Test func anAbsentValueIsNotThatOfAnOuterPart() throws {
        let template = try MustacheTemplate(string: "{{#rows}}{{name}};{{#isOn}}on{{/isOn}}{{/rows}}")
        let view: View = ["name": "outer", "rows": [["name": nil, "isOn": true], ["name": "own", "isOn": false]]]
        #expect(template.render(view) == ";onown;")
    }
}
