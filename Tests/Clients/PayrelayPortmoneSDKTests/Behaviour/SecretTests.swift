import Foundation
import Logging
import MasterpassSandbox
import PayrelayPrimitives
import Testing

@testable import PayrelayPortmoneSDK

@Suite @MainActor struct SecretTests {
    private static let number = "4444333322221111"

    /// Prints a value in every possible way.
    private func prints(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        let mirror = Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value)" }.joined()
        return "\(value) \(String(describing: value)) \(String(reflecting: value)) \(dumped) \(mirror)"
    }

    /// Whether a text contains a short code that is not part of a longer word or number. Random identifiers and ports contain
    /// any three digits now and then.
    private static func stands(_ code: String, in text: String) -> Bool {
        text.split { !$0.isLetter && !$0.isNumber }.contains { $0 == code }
    }

    @Test("A card's number and code are in no description, dump or mirror, and in no error")
    func nothingIsPrinted() throws {
        let field = MfsTextField()
        field.text = Self.number
        let card = MfsCard()
        card.cardName = "A"
        card.expireMonth = "12"
        card.expireYear = "40"
        let new = try NewCard(card, number: SecretText(Self.number), cvv: SecretText("987"))
        for value: Any in [field, SecretText(Self.number), new, new.cvv, WalletSession(token: "987"), [new]] {
            let text = prints(value)
            #expect(!text.contains(Self.number) && !text.contains("987"), "\(type(of: value))")
        }
        let error = #expect(throws: PortmoneError.self) {
            try NewCard(card, number: SecretText("4444333322221112"), cvv: SecretText("987"))
        }
        #expect(!prints(try #require(error)).contains("4444"))
    }

    @Test("A secret is overwritten when it is wiped, and a field when it is emptied or taken")
    func wiped() {
        let secret = SecretText(Self.number)
        secret.withExposed { bytes in #expect(bytes.count == 16) }
        let address = secret.withExposed { $0.baseAddress }
        secret.wipe()
        #expect(secret.isEmpty)
        // The memory belongs to the secret until the secret is released.
        withExtendedLifetime(secret) {
            #expect((0..<16).allSatisfy { address?[$0] == 0 })
        }
        let field = MfsTextField()
        field.text = Self.number
        let taken = field.takeText()
        #expect(field.text == nil && !taken.isEmpty)
        field.text = Self.number
        field.clear()
        #expect(field.text == nil)
    }

    @Test("The library's calls wipe the secrets that they took, whatever their outcome")
    func wipedAfterUse() async {
        let wallet = SeeingWallet()
        let app = App(wallet)
        #expect(await app.authorize() == nil)
        #expect(await app.add() == 2200)
        #expect(await app.validate("123456") == 2200)
        let seen = await wallet.seen
        #expect(seen.count == 3)
        // A completion may be called before the last line of the call. The secrets must be wiped by then.
        #expect(seen.filter { !$0.isEmpty }.isEmpty)
    }

    @Test("The sandbox keeps a card's mask and no number, and logs neither")
    func sandboxKeepsMasks() async throws {
        let sandbox = MasterpassSandbox()
        let lines = LogRecorder.Lines()
        let logger = Logger(label: "sandbox") { _ in LogRecorder(lines) }
        try await RunningSandbox.with(sandbox, logger: logger) { app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add() == nil)
            #expect(await app.add("Pending", TestCard.bankCode, cvv: "987") == 2113)
        }
        #expect(lines.text.contains("started"))
        #expect(!lines.text.contains("444433") && !Self.stands("987", in: lines.text))
        var dumped = ""
        dump(sandbox, to: &dumped)
        #expect(dumped.contains("444433********11"))
        #expect(!dumped.contains(Self.number) && !dumped.contains(TestCard.bankCode))
        #expect(!Self.stands("987", in: dumped))
    }

    @Test("A field keeps maxLength bytes, and nothing of a text that is too long for any secret")
    func lengths() {
        let field = MfsTextField()
        field.maxLength = 3
        field.text = "12345"
        #expect(field.text == "123")
        field.maxLength = .min
        field.text = "1"
        #expect(field.text == "")
        field.maxLength = .max
        field.text = String(repeating: "1", count: 100_000)
        #expect(field.text?.utf8.count == 32)
        let long = SecretText(String(repeating: "1", count: 33))
        #expect(!long.isEmpty && !long.isDigits(1...99))
    }
}

/// A wallet that refuses every call, and keeps the secrets that it was given.
private actor SeeingWallet: PartialWallet {
    private(set) var seen: [SecretText] = []

    func authorize(_ user: WalletUser) async throws(PortmoneError) -> WalletAuthorization {
        WalletAuthorization(session: WalletSession(token: "t"))
    }
    func validate(_ code: SecretText, in session: WalletSession) async throws(PortmoneError) -> CodeVerification? {
        seen.append(code)
        throw .server
    }
    func add(_ card: NewCard, in session: WalletSession) async throws(PortmoneError) -> CodeVerification? {
        seen += [card.number, card.cvv]
        throw .server
    }
}
