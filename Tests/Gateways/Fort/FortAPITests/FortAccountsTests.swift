import PayrelayPrimitives
import Testing

@testable import FortAPI

struct FortAccountsTests {
    private func entry(_ name: String, _ accessCode: String, _ currencies: String...) throws -> FortAccounts.Entry {
        let account = try FortAccount(
            accessCode: accessCode, merchantIdentifier: "CycHZxVj", requestPhrase: Secret("CANARY-\(name)"),
            responsePhrase: Secret("CANARY-\(name)"))
        return FortAccounts.Entry(
            name: name, currencies: Set(currencies.compactMap(Currency.init(code:))), account: account)
    }

    @Test func aSingleAccountIsNamedDefault() throws {
        #expect(FortAccounts(try entry("x", "a1").account).entry(identifiedBy: "a1")?.name == "default")
    }

    @Test func findsAnAccountByExactNameAndAccessCode() throws {
        let accounts = try FortAccounts([try entry("uae", "a1"), try entry("ksa", "A1")])
        #expect(accounts.entry(named: "ksa")?.account.accessCode == "A1")
        #expect(accounts.entry(named: "KSA") == nil)
        #expect(accounts.entry(identifiedBy: "a1")?.name == "uae")
        #expect(accounts.entry(identifiedBy: "A1")?.name == "ksa")
        #expect(accounts.entry(identifiedBy: "") == nil)
    }

    @Test func refusesAmbiguousAccounts() throws {
        let uae = try entry("uae", "a1", "AED")
        #expect(throws: MerchantAccountsError.none) { try FortAccounts([]) }
        #expect(throws: MerchantAccountsError.repeated("access code")) {
            try FortAccounts([uae, try entry("ksa", "a1")])
        }
    }

    @Test func showsNoPhrase() throws {
        var shown = ""
        dump(try FortAccounts([try entry("uae", "a1")]), to: &shown)
        #expect(shown.contains("uae"))
        #expect(!shown.contains("CANARY"))
    }
}
