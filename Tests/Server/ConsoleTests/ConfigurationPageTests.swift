import AccessControl
import HTTPTypes
import Testing

@testable import Console

@Suite struct ConfigurationPageTests {
    private static let groups = [
        ConfigurationGroup(
            title: "Name the FORT account",
            rows: [
                .init(
                    key: "fort.request_phrase", environmentName: "PAYRELAY_FORT_REQUEST_PHRASE", value: "***",
                    source: "environment: PAYRELAY_FORT_REQUEST_PHRASE", isDefault: false, summary: "The phrase."),
                .init(
                    key: "fort.accounts.<i>.access_code", environmentName: nil, value: "<script>alert(1)</script>",
                    source: "/etc/<b>.yaml, line 3", isDefault: false, summary: "The code."),
            ])
    ]

    @Test(
        "Only operators, of any role, see each setting, its value and its source",
        arguments: OperatorRole.allCases)
    func everySettingIsShown(role: OperatorRole) async throws {
        let bench = try ConsoleBench(configuration: Self.groups)
        let page = try await bench.browser(role).get("/console/configuration")
        #expect(page.status == 200)
        for text in [
            "Name the FORT account", "fort.request_phrase", "***", "environment: PAYRELAY_FORT_REQUEST_PHRASE",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
        let stranger = try await bench.send(.get, "/console/configuration")
        #expect(stranger.status == 303 && !stranger.text.contains("fort.request_phrase"))
    }

    @Test("Texts of the file are escaped, and the accounts' phrases are not on the page")
    func noMarkupAndNoPhrase() async throws {
        let bench = try ConsoleBench(configuration: Self.groups)
        let text = try await bench.browser(.viewer).get("/console/configuration").text
        #expect(text.contains("&lt;script&gt;") && !text.contains("<script>alert") && !text.contains("<b>.yaml"))
        for phrase in ConsoleBench.phrases { #expect(!text.contains(phrase)) }
    }

    @Test func aRelayWithoutSettingsSaysWhy() async throws {
        let page = try await ConsoleBench().browser(.viewer).get("/console/configuration")
        #expect(page.status == 200 && page.text.contains("has no settings"))
    }
}
