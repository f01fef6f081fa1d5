import Testing

@testable import ApplePayToken

@Suite struct BERReaderTests {
    /// Returns the contents of the numbers in a SEQUENCE within a SEQUENCE.
    private func numbers(in bytes: [UInt8], isDER: Bool = false) throws -> [[UInt8]] {
        var reader = BERReader(bytes)
        let numbers = try reader.within(0x30, "outer") { (reader) throws(CheckFailure) in
            try reader.within(0x30, "inner", isDER: isDER) { (reader) throws(CheckFailure) in
                var numbers: [[UInt8]] = []
                while reader.nextTag != nil {
                    numbers.append(Array(bytes[try reader.element(0x02, "a number").content]))
                }
                return numbers
            }
        }
        #expect(reader.nextTag == nil)
        return numbers
    }

    @Test func readsEitherFormOfLength() throws {
        for outer in [false, true] {
            for inner in [false, true] {
                let content = RawMessage.element(0x02, [5]) + RawMessage.element(0x02, [6])
                let sequence = inner ? [0x30, 0x80] + content + [0, 0] : RawMessage.element(0x30, content)
                let bytes = outer ? [0x30, 0x80] + sequence + [0, 0] : RawMessage.element(0x30, sequence)
                #expect(try numbers(in: bytes) == [[5], [6]])
                #expect((try? numbers(in: bytes, isDER: true)) == (inner ? nil : [[5], [6]]))
            }
        }
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x80], [0x30, 0x80, 0x00, 0x00], [0x30, 0x80, 0x30, 0x80],
            [0x30, 0x80, 0x30, 0x80, 0x00],
            [0x30, 0x80, 0x30, 0x80, 0x00, 0x01], [0x30, 0x80, 0x30, 0x80, 0x00, 0x00],
            [0x30, 0x80, 0x30, 0x80, 0x00, 0x00, 0x00], [0x30, 0x02, 0x31, 0x00], [0x30, 0x04, 0x30, 0x00, 0x05, 0x00],
            [0x30, 0x05, 0x30, 0x02, 0x02, 0x01, 0x05],
            [0x30, 0x04, 0x30, 0x02, 0x04, 0x00], [0x30, 0x02, 0x00, 0x00], [0x10, 0x02, 0x30, 0x00],
        ] as [[UInt8]])
    func refusesElementsThatAreNotClosedOrNotExpected(bytes: [UInt8]) {
        #expect(throws: CheckFailure.self) { try numbers(in: bytes) }
    }

    /// The reader does not refuse bytes behind the outermost element. A caller must look for them.
    @Test func showsTheBytesBehindAnElement() throws {
        var reader = BERReader([0x30, 0x80, 0x00, 0x00, 0x05])
        _ = try reader.within(0x30, "all") { _ in }
        #expect(reader.nextTag == 0x05)
        #expect(reader.position == 4)
    }
}
