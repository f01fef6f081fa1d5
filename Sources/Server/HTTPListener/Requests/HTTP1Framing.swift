import NIOHTTP1
import PayrelayPrimitives

/// Where the requests of a connection of HTTP/1.1 begin and end, as the decoder reads them (RFC 9112, 6 and 7.1): it does not tell
/// how long the chunk is that it waits for. Pure.
///
/// Nothing is accepted by this: what it does not understand the decoder refuses.
struct HTTP1Framing {
    private enum State: Equatable {
        case start
        /// How many bytes of CR LF CR LF have just been seen.
        case head(ending: Int)
        case body(remaining: Int)
        case chunkSize(UInt64, isOver: Bool)
        /// With the line break behind it.
        case chunk(remaining: Int)
        /// The bytes of the present line, without its break.
        case trailers(line: Int)
        case lost
    }

    /// The longest body, in bytes.
    private let bodyBytesMax: Int
    private var state = State.start
    private var bodyBytes = 0

    init(bodyBytesMax: Int) {
        self.bodyBytesMax = bodyBytesMax
    }

    /// Whether the next byte is the first of a head, or of an empty line before it.
    var isAtStart: Bool { state == .start }

    /// How many of these bytes belong together: up to the end of a head, or of a body, or all. Nil where a chunk is announced with
    /// which the body is too long.
    mutating func advance(over bytes: UnsafeRawBufferPointer) -> Int? {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            switch state {
            case .lost: return bytes.count
            case .start: state = .head(ending: 0)
            case .head(let ending):
                place += 1
                state = .head(ending: Self.ending(ending, byte))
                if state == .head(ending: 4) {
                    state = .start
                    return place - bytes.startIndex
                }
            case .body(let remaining):
                let count = min(remaining, bytes.endIndex - place)
                place += count
                state = remaining == count ? .start : .body(remaining: remaining - count)
                if remaining == count { return place - bytes.startIndex }
            case .chunk(let remaining):
                let count = min(remaining, bytes.endIndex - place)
                place += count
                state = remaining == count ? .chunkSize(0, isOver: false) : .chunk(remaining: remaining - count)
            case .chunkSize(let size, let isOver):
                place += 1
                guard let next = chunkSize(size, isOver: isOver, byte) else { return nil }
                state = next
            case .trailers(let line):
                place += 1
                if byte == UInt8(ascii: "\n") {
                    state = line == 0 ? .start : .trailers(line: 0)
                    if line == 0 { return place - bytes.startIndex }
                } else if byte != UInt8(ascii: "\r") {
                    state = .trailers(line: line + 1)
                }
            }
        }
        return bytes.count
    }

    /// The decoder has read a head, which has just been handed to it.
    mutating func begin(_ request: HTTPRequestHead) {
        bodyBytes = 0
        guard isAtStart else { return state = .lost }
        if request.headers.contains(name: "Transfer-Encoding") {
            state = .chunkSize(0, isOver: false)
        } else if let length = request.headers.first(name: "Content-Length") {
            guard let length = Int(length.trimmedOfSpaces) else { return state = .lost }
            if length > 0 { state = .body(remaining: length) }
        }
    }

    private static func ending(_ count: Int, _ byte: UInt8) -> Int {
        switch (byte, count) {
        case (UInt8(ascii: "\r"), 2): 3
        case (UInt8(ascii: "\r"), _): 1
        case (UInt8(ascii: "\n"), 1), (UInt8(ascii: "\n"), 3): count + 1
        default: 0
        }
    }

    /// - Parameter isOver: whether the digits have ended: what follows is an extension.
    private mutating func chunkSize(_ size: UInt64, isOver: Bool, _ byte: UInt8) -> State? {
        if byte == UInt8(ascii: "\n") {
            guard size > 0 else { return .trailers(line: 0) }
            guard size <= bodyBytesMax else { return nil }
            bodyBytes += Int(size)
            return bodyBytes > bodyBytesMax ? nil : .chunk(remaining: Int(size) + 2)
        }
        guard !isOver, let digit = byte.hexDigitValue else { return .chunkSize(size, isOver: true) }
        // The decoder refuses a size of more than 64 bits.
        guard size < 1 << 60 else { return .lost }
        return .chunkSize(size << 4 | UInt64(digit), isOver: false)
    }
}
