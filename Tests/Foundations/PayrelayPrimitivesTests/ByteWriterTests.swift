import Testing

@testable import PayrelayPrimitives

@Suite struct ByteWriterTests {
    /// Compares the writer with an array, which grows by its own rules.
    @Test(arguments: [0, 1, 15, 16, 17, 4_096])
    func holdsWhatWasWritten(capacity: Int) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var writer = ByteWriter(capacity: capacity)
            var expected: [UInt8] = []
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let byte = UInt8.random(in: 0 ... .max, using: &random)
                    writer.append(byte)
                    expected.append(byte)
                case 1:
                    let text = String(repeating: "é🙂a", count: Int.random(in: 0...40, using: &random))
                    writer.append(text)
                    expected += text.utf8
                case 2:
                    writer.append(UnsafeBufferPointer(start: nil, count: 0))
                default:
                    let bytes = (0..<Int.random(in: 0...600, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
                    bytes.withUnsafeBufferPointer { writer.append($0) }
                    expected += bytes
                }
            }
            #expect(writer.count == expected.count)
            #expect(writer.bytes == expected)
            #expect(writer.withBytes { Array($0) } == expected)
        }
    }
}
