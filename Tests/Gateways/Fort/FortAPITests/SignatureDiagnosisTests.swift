import PayrelayPrimitives
import TestPrograms
import Testing

@testable import FortAPI

/// The diagnosis of a signature that does not match.
struct SignatureDiagnosisTests {
    static let cases = Shared.python == nil ? [] : (try? MistakesInPython.cases()) ?? []

    private func diagnosis(
        _ signature: String, over message: JSONObject = MistakesInPython.message,
        phrase: String = MistakesInPython.phrase, other: String? = MistakesInPython.otherPhrase,
        type: FortSignatureType = .standard
    ) -> SignatureDiagnosis {
        SignatureDiagnosis(
            of: signature, over: message, phrase: Secret(phrase), otherPhrase: other.map(Secret.init), type: type)
    }

    private func signature(_ message: JSONObject, phrase: String = MistakesInPython.phrase) -> String {
        FortSignature(of: message, phrase: Secret(phrase), type: .standard).hexadecimal
    }

    private func names(_ diagnosis: SignatureDiagnosis) -> [[String]] {
        if case .mistaken(let ways) = diagnosis { ways.map { $0.map(\.name) } } else { [] }
    }

    @Test(.enabled(if: !cases.isEmpty), arguments: cases)
    func namesTheMistakeAndNoOtherAndShowsNoValue(made: MistakesInPython.Case) {
        let found = diagnosis(made.signature, type: made.type)
        #expect(names(found) == [made.name.split(separator: "+").map(String.init)])
        var shown = ""
        dump(found, to: &shown)
        for canary in ["CANARY", "canary", "سارة", "400555", "ee0c2d"] { #expect(!shown.contains(canary)) }
    }

    @Test(.enabled(if: Shared.python != nil))
    func everyKnownMistakeIsTested() {
        let made = Set(Self.cases.map(\.name).filter { !$0.contains("+") })
        // A test below makes a separate message for the missing mistake.
        let known = SignatureExperiment.all.map(\.name) + ["upper-case", "base64"]
        #expect(Set(known).subtracting(made) == ["phrase-given-with-white-space"])
        #expect(Set(known).count == known.count)
        #expect(made.isSubset(of: known))
    }

    @Test(arguments: FortSignatureType.allCases)
    func saysThatARightSignatureMatches(type: FortSignatureType) {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let message = RandomMessage.object(depth: 3, using: &random)
            let right = FortSignature(of: message, phrase: Secret("p(h{r&a}$e"), type: type).hexadecimal
            #expect(diagnosis(right, over: message, phrase: "p(h{r&a}$e", type: type) == .correct)
            #expect(diagnosis(" \(right)\n", over: message, phrase: "p(h{r&a}$e", type: type) == .correct)
        }
    }

    @Test func saysThatNoKnownMistakeLeadsToIt() {
        let foreign = signature(MistakesInPython.message, phrase: "another phrase")
        #expect(diagnosis(foreign) == .unexplained)
        var another = MistakesInPython.message
        another["merchant_reference"] = "ORDER-1002"
        #expect(diagnosis(signature(another)) == .unexplained)
        #expect(diagnosis(String(repeating: "0", count: 64), over: [:]) == .unexplained)
    }

    @Test(arguments: [
        "", "abc", "not hex at all", String(repeating: "g", count: 64), String(repeating: "a", count: 63),
    ])
    func reportsATextThatIsNotASignature(text: String) {
        #expect(diagnosis(text) == .notASignature)
    }

    @Test(arguments: ["PASS\n", "PASS\r\n", " PASS"])
    func findsThatThePhraseGivenHereHasWhiteSpaceAround(phrase: String) {
        let found = diagnosis(signature(MistakesInPython.message, phrase: "PASS"), phrase: phrase)
        #expect(names(found) == [["phrase-given-with-white-space"]])
    }

    @Test func namesEveryWayThatLeadsToTheSameSignature() {
        // The signature fits if the empty value is left out, either as a parameter or because it is empty.
        let message: JSONObject = ["amount": "1", "merchant_extra": ""]
        let found = names(diagnosis(signature(["amount": "1"]), over: message))
        #expect(found == [["parameter-left-out"], ["empty-values-left-out"]])
    }

    @Test func namesTheParameterAndNotItsValue() throws {
        var message = MistakesInPython.message
        message["customer_email"] = nil
        let found = diagnosis(signature(message))
        guard case .mistaken(let ways) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(ways.first?.first?.detail == "customer_email")
    }

    @Test(arguments: [
        ("10005", "AED", "100.05"), ("5", "AED", "0.05"), ("10005", "KWD", "10.005"), ("500", "JPY", "500.00"),
        ("0", "JPY", "0.0"), ("100", "XXX", "1.00"), ("100.50", "AED", "10050"), ("7", "KWD", "7000"),
    ])
    func findsTheAmountInOtherUnits(sent: String, currency: String, signed: String) {
        let message: JSONObject = ["amount": .string(sent), "currency": .string(currency), "language": "en"]
        var other = message
        other["amount"] = .string(signed)
        #expect(names(diagnosis(signature(other), over: message)) == [["amount-in-major-units"]])
    }

    @Test func explainsAnyMessage() {
        var random = SeededGenerator(seed: 77)
        for currency in ["AED", "KWD", "JPY", "CLF", "?"] {
            var message = RandomMessage.object(depth: 3, using: &random)
            message["amount"] = [.null, "", "-1", .number("1e3"), "99999999999999999999"].randomElement(using: &random)
            message["currency"] = .string(currency)
            #expect(diagnosis(String(repeating: "0", count: 128), over: message) == .unexplained)
        }
    }

    @Test func doesWithoutTheOtherPhrase() {
        let wrong = signature(MistakesInPython.message, phrase: MistakesInPython.otherPhrase)
        #expect(diagnosis(wrong, other: nil) == .unexplained)
        #expect(names(diagnosis(wrong)) == [["other-phrase"]])
    }

    @Test func explainsAMessageWithoutParameters() {
        let found = diagnosis(
            FortSignature(of: [:], phrase: Secret("a"), type: .sha256).hexadecimal, over: [:], phrase: "a")
        #expect(names(found) == [["hashed-with-sha256"]])
    }
}
