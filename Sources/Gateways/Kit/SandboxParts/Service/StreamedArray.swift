package import Hummingbird
import NIOCore
package import PayrelayPrimitives

extension ResponseBody {
    /// Creates a JSON array that is written piece by piece, because a million orders in one text would fill the
    /// memory.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the elements.
    ///   - elements: returns the elements with these numbers that still exist.
    package init(
        streaming numbers: Range<Int>, _ elements: @escaping @Sendable (Range<Int>) async -> [JSON]
    ) {
        let step = 1_000
        self.init { writer in
            var separator = "["
            for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: step) {
                var piece = ByteBuffer()
                for element in await elements(start..<min(start + step, numbers.upperBound)) {
                    piece.writeString(separator)
                    piece.writeBytes(element.encoded())
                    separator = ","
                }
                try await writer.write(piece)
            }
            try await writer.write(ByteBuffer(string: separator == "[" ? "[]" : "]"))
            try await writer.finish(nil)
        }
    }
}
