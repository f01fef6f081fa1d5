import Foundation
import MasterpassSandbox
import Testing

@testable import PayrelayPortmoneSDK

/// The wallet's calls against the sandbox over HTTP.
@Suite(.timeLimit(.minutes(25))) @MainActor struct WalletTests {
    @Test("2016 before the SDK is initialized, and 2000 before a user is authorized")
    func order() async throws {
        try await RunningSandbox.with { app async throws in
            app.state.initialize(merchantKey: "", clientId: "client", wallet: SandboxWallet())
            #expect(await app.authorize() == 2016)
            #expect(await app.add() == 2016)
            try app.initialize()
            #expect(await app.add() == 2000)
            #expect(await app.validate("1") == 2000)
            #expect(await app.authorize() == nil)
            #expect(await app.add() == nil)
            try app.initialize()
            #expect(await app.delete("MyCard") == 2000)
        }
    }

    @Test(
        "A phone number is 380 and nine digits, and a user id is there",
        arguments: [
            ("", "1", 2006), ("38066678955", "1", 2005), ("3806667895555", "1", 2005), ("+38066678955", "1", 2005),
            ("480666789555", "1", 2005), ("38066678955\u{0665}", "1", 2005), ("380666789555", "", 2012),
        ])
    func arguments(phone: String, userId: String, code: Int) async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize(phone, userId: userId) == code)
        }
    }

    @Test("An authorization is kept until another succeeds")
    func authorizationIsKept() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add() == nil)
            #expect(await app.authorize("1") == 2005)
            #expect(await app.authorize(userId: "fail-authorize-2200") == 2200)
            #expect(try await app.cards().count == 1)
            #expect(await app.authorize("380000000001") == nil)
            #expect(try await app.cards().isEmpty)
            #expect(await app.authorize() == nil)
            #expect(try await app.cards() == [MasterpassCard(cardBin: "444433********11", name: "MyCard")])
        }
    }

    @Test("The last card that is deleted takes the wallet with it")
    func lastCard() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add("One") == nil)
            #expect(await app.add("Two") == nil)
            #expect(await app.add("Two") == 2200)
            #expect(await app.delete("") == 2106)
            #expect(await app.delete("Three") == 2200)
            #expect(await app.delete("One") == nil)
            // The wallet still exists: another client must be linked to it.
            try app.initialize(clientId: "other")
            #expect(await app.authorize() == 2113)
            #expect(await app.validate(SandboxCode.card.rawValue) == nil)
            #expect(await app.delete("Two") == nil)
            try app.initialize(clientId: "third")
            #expect(await app.authorize() == nil)
            #expect(try await app.cards().isEmpty)
        }
    }

    @Test("A wallet of another app requires the bank's code, and allows nothing else before it")
    func linking() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize("380000002113") == 2113)
            #expect(await app.add() == 2000)
            #expect(await app.validate("000000") == 2108)
            #expect(await app.validate("") == 2107)
            for code in ["22222x", "２２２２２２", String(repeating: "2", count: 99)] {
                #expect(await app.validate(code) == 2108)
            }
            #expect(await app.validate(SandboxCode.phone.rawValue) == 2108)
            #expect(await app.validate(SandboxCode.card.rawValue) == nil)
            #expect(try await app.cards().map(\.name) == ["Elsewhere"])
            // A wallet is linked once and for all.
            #expect(await app.authorize("380000002113") == nil)
        }
    }

    @Test("A card may need the bank's code, the phone's, or both: validateCode says so until it has all")
    func addingWithCodes() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add("Bank", TestCard.bankCode) == 2113)
            #expect(try await app.cards().isEmpty)
            #expect(await app.validate("222222") == nil)
            #expect(await app.add("Phone", TestCard.phoneCode) == 2114)
            #expect(await app.validate("111111") == nil)
            #expect(await app.add("Both", TestCard.bothCodes) == 2114)
            #expect(await app.validate("111111") == 2113)
            #expect(try await app.cards().count == 2)
            #expect(await app.validate("222222") == nil)
            #expect(try await app.cards().map(\.name) == ["Bank", "Phone", "Both"])
            #expect(await app.validate("222222") == 2018)
        }
    }

    @Test("A card's name is taken URL encoded, as the page's table says, and as it is, as its samples have it")
    func namesOfCards() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize() == nil)
            for name in ["My%20Card", "\u{421}ardName", "50%", "%D0%9A%D0%B0%D1%80%D1%82%D0%B0"] {
                #expect(await app.add(name) == nil)
            }
            let names = ["My Card", "\u{421}ardName", "50%", "\u{41A}\u{430}\u{440}\u{442}\u{430}"]
            #expect(try await app.cards().map(\.name) == names)
            #expect(await app.delete("My Card") == nil)
            #expect(await app.add("%0A") == 2100)
        }
    }

    @Test("Five wrong codes end a verification")
    func wrongCodes() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add("Bank", TestCard.bankCode) == 2113)
            for _ in 1...4 { #expect(await app.validate("999999") == 2108) }
            #expect(await app.validate("999999") == 2018)
            #expect(await app.validate("222222") == 2018)
            #expect(try await app.cards().isEmpty)
        }
    }

    @Test("Each mistake in a card has its code")
    func wrongCards() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add(nil) == 2106)
            #expect(await app.add("") == 2106)
            #expect(await app.add("A", "") == 2102)
            for number in ["4444333322221112", "444433332222111x", "1", String(repeating: "4", count: 40)] {
                #expect(await app.add("A", number) == 2103)
            }
            // The sandbox accepts only its own cards, even if another number is valid.
            #expect(await app.add("A", "4111111111111111") == 2103)
            #expect(await app.add("A", cvv: "") == 2104)
            for cvv in ["12", "1234", "12x", "000"] { #expect(await app.add("A", cvv: cvv) == 2105) }
            for (month, year) in [
                (nil, "40"), ("12", nil), ("13", "40"), ("00", "40"), ("1", "40"), ("12", "2040"), ("03", "20"),
                ("12", "99"),
            ] {
                #expect(await app.add("A", month: month, year: year) == 2112)
            }
            #expect(try await app.cards().isEmpty)
        }
    }

    @Test("Payees have three languages, typed fields, and a gateway to which customers are redirected")
    func payees() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize() == nil)
            let payees = try await app.payees()
            #expect(payees.map(\.payeeId) == ["1001", "1002", "1003", "2001"])
            let housing = payees[1]
            #expect(housing.contractNumberTitle.ukLocale == "Договір")
            #expect(housing.contractNumberType == "C" && housing.contractNumberSize == "20")
            #expect(housing.attribute1Type == "D" && housing.attribute1ForInfo == false)
            #expect(housing.attribute3ForInfo == true && housing.attribute4Title == nil)
            #expect(payees.filter(\.needRedirect).map(\.gateway?.enLocale) == ["https://example.com/en"])
        }
    }

    @Test("Every published code comes on request, and so does a server's own", arguments: SandboxCall.allCases)
    func everyCode(call: SandboxCall) async throws {
        try await RunningSandbox.with { app async throws in
            // Try all codes with one call, and a single code with each other call.
            let codes = call == .getPayees ? PortmoneError.published.map(\.code) + [77, 999_999] : [2200]
            for code in codes {
                #expect(await app.authorize() == nil)
                if try await app.cards().isEmpty { #expect(await app.add("Card", TestCard.by2d) == nil) }
                let user = "fail-\(call.rawValue)-\(code)"
                let isFailed = await app.authorize(userId: user) == code
                #expect(isFailed == (call == .authorize))
                if call == .getPayees {
                    let error = await #expect(throws: PortmoneError.self) { _ = try await app.payees() }
                    #expect(error?.code == code)
                }
            }
        }
    }
}
