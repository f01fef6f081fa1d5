import NIOCore
import NIOHTTP1
import Testing

@testable import HTTPListener

@Suite struct HTTP1FramingTests {
    private static let limit = 1_000

    /// How the bytes are cut, whatever pieces they come in; nil at the end where a chunk is refused.
    private func pieces(_ text: String, _ heads: [HTTPHeaders], inPiecesOf size: Int) -> [String?] {
        var framing = HTTP1Framing(bodyBytesMax: Self.limit)
        var (pieces, present, heads) = ([String?](), "", heads[...])
        var buffer = ByteBuffer(string: text)
        while buffer.readableBytes > 0 {
            var read = buffer.readSlice(length: min(size, buffer.readableBytes)) ?? ByteBuffer()
            while read.readableBytes > 0 {
                guard let count = read.withUnsafeReadableBytes({ framing.advance(over: $0) }) else {
                    return pieces + [nil]
                }
                present += read.readString(length: count) ?? ""
                guard framing.isAtStart else { continue }
                if present.contains("POST"), let headers = heads.popFirst() {
                    framing.begin(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/", headers: headers))
                }
                pieces.append(present)
                present = ""
            }
        }
        return pieces + (present.isEmpty ? [] : [present])
    }

    private static let chunked: HTTPHeaders = ["Transfer-Encoding": "chunked"]
    private static let head = "POST / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: [1, 2, 3, 7, 1_000_000])
    func separatesRequestsWhereTheyEnd(size: Int) {
        let text =
            Self.head + "{}" + "\r\n" + Self.head + Self.head
            + "2;x=\"y\"\r\n{}\r\nA\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\nT: x\r\n\r\n"
        let found = pieces(text + Self.head, [["Content-Length": "2"], [:], Self.chunked, [:]], inPiecesOf: size)
        #expect(found.count == 6)
        #expect(found.compactMap { $0 }.joined() == text + Self.head)
        #expect(found.last == Self.head)
    }

    @Test(arguments: [
        "3E9\r\n", "7fffffffffffffff\r\n", "ffffffffffffffff\r\n", "00003E9;a=b\r\n",
        "1F4\r\n" + String(repeating: "x", count: 500) + "\r\n1F5\r\n",
    ])
    func aChunkThatMakesTheBodyTooLongIsRefusedBeforeItComes(body: String) {
        for size in [1, 1_000_000] {
            #expect(pieces(Self.head + body, [Self.chunked], inPiecesOf: size).last == .some(nil))
        }
    }

    @Test func allowsABodyOfTheLimit() {
        let body = "3E8\r\n" + String(repeating: "x", count: 1_000) + "\r\n0\r\n\r\n"
        #expect(pieces(Self.head + body + Self.head, [Self.chunked, [:]], inPiecesOf: 9).last == Self.head)
    }

    /// The decoder refuses it, or has another view of it: nothing is held back.
    @Test func passesUnknownInputToTheDecoder() {
        #expect(pieces("GET / HTTP/1.1\nHost: a\n\n", [], inPiecesOf: 5).compactMap { $0 }.joined().count == 24)
        #expect(pieces(Self.head + "xx", [["Content-Length": "-2"]], inPiecesOf: 5).compactMap { $0 }.count == 2)
    }
}
