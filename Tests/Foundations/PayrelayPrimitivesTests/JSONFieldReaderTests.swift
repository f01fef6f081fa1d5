import PayrelayPrimitives
import Testing

@Suite struct JSONFieldReaderTests {
    @Test func everyErrorIsNamedByItsPathAtOnce() {
        var reader = JSONFieldReader(["a": 1, "b": "", "c": "xyz", "e": ["f": "!", "g": "00"]], path: "top")
        #expect(reader.text("a", limit: 9) == nil && reader.text("b", limit: 9, required: true) == nil)
        #expect(reader.text("c", limit: 2) == nil && reader.text("d", limit: 9, required: true) == nil)
        var inner = reader.object("e")
        #expect(inner?.base64("f", limit: 9, required: true) == nil)
        #expect(inner?.hex("g", limit: 9, required: true, isDigest: true) == nil)
        reader.add(inner?.errors ?? [])
        #expect(
            reader.errors.map(\.description) == [
                "top.a must be a string, not a number", "top.b is empty", "top.c is longer than 2 characters",
                "top.d is missing", "top.e.f is not base64: 1 characters, which is not a multiple of four",
                "top.e.g has 1 bytes; a SHA-256 has 32",
            ])
    }

    @Test func nullCountsAsAbsent() {
        var reader = JSONFieldReader(["a": .null])
        #expect(reader.text("a", limit: 1) == nil && reader.object("a") == nil && reader.errors.isEmpty)
        #expect(reader.object("a", required: true) == nil)
        #expect(reader.errors == [ValidationError(field: "a", detail: "is missing")])
    }

    @Test func textsAreTakenAndEveryOtherMemberIsAnError() {
        var reader = JSONFieldReader(["a": "x", "amount": .number("1e3"), "n": 7, "o": .null, "z": "y"])
        #expect(
            reader.texts(allowing: ["a", "amount", "n", "o"], of: "IT", digitsIn: "amount") == [
                "a": "x", "amount": "1e3",
            ])
        #expect(
            reader.errors.map(\.description) == [
                "n must be a string, not a number", "o must be a string, not null", "z is not a field of IT",
            ])
    }
}
