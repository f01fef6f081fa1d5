import PayrelayPrimitives
import Testing

@Suite struct SecretTests {
    /// Returns the texts of a value, in every way in which Swift turns a value into text.
    private func prints(of value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) \(String(describing: Optional(value)))"
        debugPrint(value, [value], to: &text)
        dump(value, to: &text)
        dump(["wrapped": value], to: &text)
        return text
    }

    @Test func printsAsThreeStars() {
        let secret = Secret("CANARY")
        #expect("\(secret)" == "***")
        #expect(!prints(of: secret).contains("CANARY"))
        #expect(secret.exposed == "CANARY")
    }

    @Test func isEqualOnlyToTheSameText() {
        #expect(Secret("abc") == Secret("abc"))
        #expect(Secret("abc") != Secret("abd"))
        #expect(Secret("abc") != Secret("ab"))
        #expect(Secret("") == Secret(""))
    }
}
