import Crypto
import Foundation
import Testing

@testable import AccessControl

@Suite struct APIKeyTests {
    private func line(_ client: String, _ key: APIKey, _ scopes: Set<Scope> = [.paymentsCreate]) throws -> String {
        "\(try APIKeyEntry(name: client, permission: scopes, key: key))"
    }

    @Test func theLineHoldsTheSHA256OfTheKeyAndNotTheKey() throws {
        let key = APIKey()
        let digest = SHA256.hash(data: Data(key.exposed.utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(
            try line("shop", key, [.tokensVerify, .paymentsCreate]) == "shop payments:create,tokens:verify \(digest)")
        #expect(!"\(key) \(String(reflecting: key))".contains(key.exposed))
    }

    @Test("S11: several keys of one client are valid during rotation") func severalKeysOfAClientAreValidDuringRotation()
        throws
    {
        let (old, new, other) = (APIKey(), APIKey(), APIKey())
        let keys = try APIKeys(
            parsing: """
                # during rotation both are valid
                \(line("shop", old))   # until the first of May

                \t\(line("shop", new, [.paymentsCreate, .paymentsRead]))
                \(line("bank", other, Set(Scope.allCases)))
                """)
        #expect(keys.entry(with: old)?.name == "shop" && keys.entry(with: old)?.permission == [.paymentsCreate])
        #expect(keys.entry(with: new)?.name == "shop")
        #expect(keys.entry(with: new)?.permission == [.paymentsCreate, .paymentsRead])
        #expect(keys.entry(with: other)?.name == "bank")
        #expect(keys.entry(with: APIKey()) == nil)
        #expect(try APIKeys(parsing: line("a", old) + ";" + line("b", new)).entries.map(\.name) == ["a", "b"])
    }

    @Test func everyKeyIsNewAndNoOtherTextIsAKey() throws {
        #expect(Set((0..<1_000).map { _ in APIKey().exposed }).count == 1_000)
        let text = APIKey().exposed
        #expect(APIKey(text)?.exposed == text)
        #expect(text.utf8.count == 52)
        for other in [
            "", "payrelay_", "payrelay_password", String(text.dropFirst()), String(text.dropLast()), text + "A",
            text + "=",
            "PAYRELAY_" + text.dropFirst(9), " " + text,
        ] {
            #expect(APIKey(other) == nil)
        }
    }

    @Test func everyInvalidLineIsReported() throws {
        let key = APIKey()
        let text = """
            shop payments:create
            shop payments:creat \(String(repeating: "0", count: 64))
            sh/op payments:create \(String(repeating: "0", count: 64))
            shop payments:create \(key.exposed)
            \(try line("shop", key))
            \(try line("bank", key))
            shop , \(String(repeating: "0", count: 64))
            """
        let errors = #expect(throws: KeyLinesError<Set<Scope>>.self) { try APIKeys(parsing: text) }
        #expect(
            errors?.lines == [
                .init(number: 1, error: .words(2)), .init(number: 2, error: .permission("payments:creat")),
                .init(number: 3, error: .name("sh/op")), .init(number: 4, error: .digest),
                .init(number: 6, error: .repeated), .init(number: 7, error: .permission("")),
            ])
        #expect(errors.map { "\($0)".contains(key.exposed) } == false)
    }
}
