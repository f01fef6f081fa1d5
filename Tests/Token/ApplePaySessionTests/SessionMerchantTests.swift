import ApplePaySession
import Testing

@Suite struct SessionMerchantTests {
    private func merchant(_ domains: String...) throws -> SessionMerchant {
        SessionMerchant(
            identifier: "merchant.a", displayName: try #require(.init("Shop")),
            domains: domains.compactMap { MerchantDomain($0) })
    }

    @Test(arguments: ["shop.example", "WWW.Shop.Example", "a-b.c1.example", "xn--mgbh0fb.example"])
    func aFullyQualifiedNameIsADomain(name: String) {
        #expect(MerchantDomain(name)?.name == name.lowercased())
    }

    @Test(arguments: [
        "", "shop", "https://shop.example", "shop.example/", "shop.example:443", "shop.example.", ".example", "a..b",
        "-a.example", "a-.example", "*.example", "a b.example", "متجر.example", "a@shop.example", "127.0.0.1",
        String(repeating: "a", count: 64) + ".example", String(repeating: "a.", count: 127) + "example",
    ])
    func otherTextsAreNoDomain(text: String) {
        #expect(MerchantDomain(text) == nil)
    }

    @Test func onlyDomainsOfTheMerchantsAreFound() throws {
        let merchant = try merchant("shop.example", "pay.shop.example")
        #expect(merchant.domain(named: "PAY.shop.example")?.name == "pay.shop.example")
        for name in ["evil.example", "example", "x.shop.example", "shop.example.evil.example", ""] {
            #expect(merchant.domain(named: name) == nil)
        }
    }

    @Test func onlyASingleDomainNeedsNoName() throws {
        #expect(try merchant("shop.example").domain(named: nil)?.name == "shop.example")
        #expect(try merchant("shop.example", "pay.shop.example").domain(named: nil) == nil)
    }

    @Test func aDisplayNameHas1To64Characters() {
        #expect(SessionMerchant.DisplayName("") == nil)
        #expect(SessionMerchant.DisplayName(String(repeating: "م", count: 64)) != nil)
        #expect(SessionMerchant.DisplayName(String(repeating: "م", count: 65)) == nil)
    }
}
