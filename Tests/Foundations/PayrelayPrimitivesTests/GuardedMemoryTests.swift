import Foundation
import Testing

@testable import PayrelayPrimitives

/// Bytes that are read eight at a time are placed right before, or right after, an unreadable page. A read beyond either end
/// kills the test process.
@Suite struct GuardedMemoryTests {
    private static let lengths = 0...72

    @Test(arguments: [false, true])
    func noByteBeyondEitherEndIsRead(atTheEndOfThePage: Bool) throws {
        let page = try GuardedPage()
        for length in Self.lengths {
            let bytes = page.bytes(length, atTheEnd: atTheEndOfThePage)
            for start in 0...length {
                // No byte matches, so every byte is read.
                for index in 0..<length { bytes[index] = UInt8(ascii: "b") }
                let text = UnsafeBufferPointer(bytes)
                #expect(text.firstPlace(from: start, where: \.beyondASCII) == length)
                #expect(text.firstPlace(from: start) { $0.below(0x20) } == length)
                #expect(text.hasNone { $0.equal(to: 0x22) })
                guard start < length else { continue }
                for place in Set([start, length - 1, (start + length) / 2]) {
                    bytes[place] = 0xFF
                    #expect(text.firstPlace(from: start, where: \.beyondASCII) == place, "\(length) from \(start)")
                    bytes[place] = UInt8(ascii: "b")
                }
            }
        }
    }

    /// The result does not depend on the address of the first byte.
    @Test func everyAlignmentGivesTheSame() throws {
        let page = try GuardedPage()
        for offset in 0..<16 {
            for length in Self.lengths {
                let whole = page.bytes(length + offset, atTheEnd: true)
                let bytes = UnsafeMutableBufferPointer(rebasing: whole[offset...])
                for index in 0..<length { bytes[index] = UInt8(truncatingIfNeeded: 0x21 + index % 0x40) }
                let expected = bytes.firstIndex(of: 0x22) ?? length
                #expect(UnsafeBufferPointer(bytes).firstPlace(from: 0) { $0.equal(to: 0x22) } == expected)
            }
        }
    }
}

/// A page of memory between two unreadable pages.
private final class GuardedPage {
    private let start: UnsafeMutableRawPointer
    private let size = Int(sysconf(Int32(_SC_PAGESIZE)))

    init() throws {
        let mapped = mmap(nil, 3 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        start = try #require(mapped != MAP_FAILED ? mapped : nil)
        try #require(mprotect(start, size, PROT_NONE) == 0)
        try #require(mprotect(start + 2 * size, size, PROT_NONE) == 0)
    }

    deinit { munmap(start, 3 * size) }

    /// Returns bytes that end at the end of the page, or begin at its beginning.
    func bytes(_ count: Int, atTheEnd: Bool) -> UnsafeMutableBufferPointer<UInt8> {
        let first = start + size + (atTheEnd ? size - count : 0)
        return UnsafeMutableBufferPointer(start: first.bindMemory(to: UInt8.self, capacity: count), count: count)
    }
}
