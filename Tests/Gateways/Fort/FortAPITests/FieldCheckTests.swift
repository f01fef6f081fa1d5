import PayrelayPrimitives
import Testing

@testable import FortAPI

/// Fields are checked by their bytes if that is enough. These tests compare the result with a check of each scalar.
@Suite struct FieldCheckTests {
    private static let fields = FortField.all + FortField.ofOperations

    @Test("The errors of a value are those that a look at every scalar finds", arguments: fields)
    func findsTheSameErrors(field: FortField) {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<400 {
            let value = Self.value(for: field, using: &generator)
            #expect(field.errors(in: value) == field.slowErrors(in: value), "\(field.name): \(value.debugDescription)")
            let warnings = field.origin == .token ? field.slowViolations(in: value.slowlyTrimmed) : []
            #expect(field.warnings(in: value) == warnings, "\(field.name): \(value.debugDescription)")
        }
    }

    /// Returns a good value, sometimes spoilt at one or two places, or too long by one character.
    private static func value(for field: FortField, using generator: inout some RandomNumberGenerator) -> String {
        let pieces = [
            " ", "\n", "\t", "\u{7F}", "\u{A0}", "\u{200F}", "é", "e\u{301}", "٣", "س", "😀", "=", "==", "-", "_", ".",
            "@", "a",
            "Z", "0", "/", "'", ",", "\u{212A}", "visa", "\u{0}",
        ]
        var value =
            [
                "", "APPLE_PAY", "PURCHASE", "en", "AED", "10000", "sara@example.com", "192.0.2.1", "::1", "A-b_c.1",
                "mada", "abc==",
            ]
            .randomElement(using: &generator) ?? ""
        if Int.random(in: 0..<6, using: &generator) == 0, let limit = field.maximumLength {
            value = String(repeating: "1", count: limit + Int.random(in: -1...1, using: &generator))
        }
        for _ in 0..<Int.random(in: 0..<3, using: &generator) {
            let place = value.unicodeScalars.indices.randomElement(using: &generator) ?? value.endIndex
            let end = Bool.random(using: &generator) ? value.endIndex : place
            value.unicodeScalars.insert(
                contentsOf: (pieces.randomElement(using: &generator) ?? "").unicodeScalars, at: end)
        }
        return value
    }
}
