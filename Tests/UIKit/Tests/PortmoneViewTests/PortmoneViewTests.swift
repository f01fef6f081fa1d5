import Foundation
import FoundationNetworking
import Testing
import UIKit
import WebKit

@testable import PayrelayPortmoneSDK

@Suite @MainActor struct PortmoneViewTests {
    @MainActor private final class Ends {
        var count = 0
    }

    private static let number = "4444333322221111"

    @Test("A field's text is in no description, dump or mirror, and is gone once a call took it")
    func field() {
        let field = MfsTextField()
        field.setType(1)
        field.maxLength = 20
        field.placeholder = "Card No"
        field.keyboardType = .numberPad
        field.text = Self.number
        var dumped = ""
        dump(field, to: &dumped)
        let mirror = Mirror(reflecting: field).children.map { "\($0.value)" }.joined()
        #expect(!"\(field) \(String(reflecting: field)) \(dumped) \(mirror)".contains(Self.number))
        #expect(field.takeText().isDigits(16...16))
        #expect(field.text == nil)
    }

    @Test("A field takes maxLength characters, however often its type is set; codes are not shown")
    func lengths() {
        let field = MfsTextField()
        for type in [1, 2, 3, 4, -1] {
            field.setType(type)
            #expect(field.isSecureTextEntry == (type != 1))
            #expect((field.textContentType == .oneTimeCode) == (type == 2))
        }
        field.maxLength = 3
        field.text = "1234"
        field.sendActions(for: .editingChanged)
        #expect(field.text == "123")
    }

    @Test("The page's view opens its own server alone, and ends once")
    func page() async throws {
        let base = "http://127.0.0.1:8084/masterpass/3d/a"
        let page = VerificationPage(
            url: try #require(URL(string: base)), end: try #require(URL(string: base + "/done")))
        let ends = Ends()
        let view = PortmoneWebView(page) { _ in ends.count += 1 }
        let web = try #require(view.subviews.first as? WKWebView)
        #expect(web.requests.map(\.url) == [page.url])
        for other in [
            "https://evil.example", "http://127.0.0.1:8085/", "https://127.0.0.1:8084/", "file:///etc/passwd",
        ] {
            #expect(await web.navigate(to: try #require(URL(string: other))) == .cancel)
        }
        #expect(await web.navigate(to: try #require(URL(string: base + "/confirm"))) == .allow)
        #expect(ends.count == 0)
        #expect(await web.navigate(to: page.end) == .cancel)
        view.finish()
        #expect(ends.count == 1)
    }
}
