import Foundation
import PayrelayPrimitives
import Testing

@Suite struct EncodingTests {
    @Test func readsTheVectorsOfRFC4648() throws {
        let vectors = ["": "", "Zg==": "f", "Zm8=": "fo", "Zm9v": "foo", "Zm9vYg==": "foob", "Zm9vYmE=": "fooba"]
        for (text, plain) in vectors {
            #expect(try Base64Text(text).bytes == Array(plain.utf8))
            #expect(Base64Text(encoding: Array(plain.utf8)).text == text)
        }
    }

    @Test func agreesWithFoundationOnEveryLength() throws {
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max) }
            let text = Data(bytes).base64EncodedString()
            #expect(try Base64Text(text).bytes == bytes)
            #expect(Base64Text(encoding: bytes).text == text)
        }
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Z===", "====", "Zh==", "Zm9=", "Zm8", "Zm 8", "Zm8=\n", " Zm8=", "Zm-_", "Zm8=Zm8=",
        "Zm=v",
        "Zmü=",
    ])
    func refusesWhatIsNotStrictBase64(text: String) {
        #expect(throws: TextEncodingError.self) { try Base64Text(text) }
    }

    @Test func namesTheLetterThatIsNotBase64() throws {
        for length in stride(from: 4, to: 40, by: 4) {
            for padded in 0...2 {
                let text = Array(repeating: "A", count: length - padded) + Array(repeating: "=", count: padded)
                #expect(try Base64Text(text.joined()).bytes == Array(repeating: 0, count: length / 4 * 3 - padded))
                for place in 0..<(length - padded) {
                    for letter in ["-", "=", "\u{0}", "\u{7F}", " "] where letter != "=" || place < length - padded - 1
                    {
                        var wrong = text
                        wrong[place] = letter
                        let error = #expect(throws: TextEncodingError.self) { try Base64Text(wrong.joined()) }
                        #expect(error?.description == "is not base64: character \(place + 1) is not of its alphabet")
                    }
                }
            }
        }
    }

    @Test func namesTheBitsBeyondTheLastByte() {
        for text in ["Zh==", "Zm9=", "AAAAZh==", "AAAAZm9="] {
            let error = #expect(throws: TextEncodingError.self) { try Base64Text(text) }
            #expect(error?.description == "is not base64: bits are set beyond the last byte")
        }
    }

    /// One value has one text, so a changed text is a changed value.
    @Test func noTwoTextsMeanTheSame() throws {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
        var seen: Set<[UInt8]> = []
        var accepted = 0
        for first in alphabet {
            for second in alphabet {
                guard let value = try? Base64Text("\(first)\(second)==") else { continue }
                accepted += 1
                seen.insert(value.bytes)
            }
        }
        #expect(accepted == 256 && seen.count == 256)
    }

    @Test func readsHexInBothCases() throws {
        #expect(try HexText("00fFa9").bytes == [0x00, 0xFF, 0xA9])
        #expect(HexText(encoding: [0x00, 0xFF, 0xA9]).text == "00ffa9")
    }

    @Test(arguments: [
        ("00ffa9", true), ("00FFA9", true), ("00FfA9", true), ("00ffa8", false), ("00ffa", false), ("00ffa90", false),
        ("\u{10}0ffa9", false), ("00&fa9", false), ("0 ffa9", false), ("", false), ("00ffaé", false),
    ])
    func comparesDigitsInEitherCase(text: String, isSame: Bool) throws {
        #expect(try HexText("00ffA9").hasSameDigits(as: text) == isSame)
    }

    @Test(arguments: ["0", "abc", "0g", "0x00", " 00", "00 ", "é0", "٠٠"])
    func refusesWhatIsNotHex(text: String) {
        #expect(throws: TextEncodingError.self) { try HexText(text) }
    }

    @Test func base64URLHasNoPaddingAndTwoOtherLetters() {
        #expect(Base64URL.encode([0xFB, 0xFF, 0xFE, 0x01]) == "-__-AQ")
        for length in 0..<100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    /// Two texts of the same bytes would be two tokens.
    @Test(arguments: ["+w", "/w", "-w==", "A", "AB", "A A", "AA\n", "Aé", "AAAAA", "----="])
    func refusesWhatBase64URLDoesNotWrite(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
