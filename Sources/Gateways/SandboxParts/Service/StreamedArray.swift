package import Hummingbird
import NIOCore
package import PayrelayPrimitives

extension ResponseBody {
    /// A JSON array, written piece by piece: a million orders would fill the memory as one text.
    ///
    /// - Parameters:
    ///   - numbers: those of the elements.
    ///   - elements: with these numbers, as far as there still are any.
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
