import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing

@testable import HTTPListener

@Suite struct StreamEndTests {
    /// What leaves: `H` for headers, the length of data, and `!` where a frame ends the stream.
    private func frames(_ headers: HPACKHeaders, _ pieces: [Int]) throws -> [String] {
        let channel = EmbeddedChannel(handler: StreamEndHandler())
        try channel.writeOutbound(HTTP2Frame.FramePayload.headers(.init(headers: headers)))
        for length in pieces {
            let bytes = ByteBuffer(repeating: 1, count: length)
            try channel.writeOutbound(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(bytes))))
        }
        let end = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))
        try channel.writeOutbound(end)
        var left: [String] = []
        while let frame = try channel.readOutbound(as: HTTP2Frame.FramePayload.self) {
            switch frame {
            case .headers(let headers): left.append(headers.endStream ? "H!" : "H")
            case .data(let data): left.append("\(data.data.readableBytes)\(data.endStream ? "!" : "")")
            default: left.append("?")
            }
        }
        return left
    }

    @Test(
        "The last frame of a response whose length is known ends its stream",
        arguments: [
            (["content-length": "5"], [5], ["H", "5!"]), (["content-length": "5"], [2, 3], ["H", "2", "3!"]),
            (["content-length": "0"], [], ["H!"]), ([":status": "204"], [], ["H!"]), ([":status": "304"], [], ["H!"]),
            // Of a HEAD, and what has no length or another than it said.
            (["content-length": "5"], [], ["H", "0!"]), ([:], [5], ["H", "5", "0!"]), ([:], [], ["H", "0!"]),
            (["content-length": "5"], [4], ["H", "4", "0!"]), (["content-length": "x"], [4], ["H", "4", "0!"]),
        ] as [([String: String], [Int], [String])])
    func lastFrame(headers: [String: String], pieces: [Int], left: [String]) throws {
        #expect(try frames(HPACKHeaders(headers.map { ($0.key, $0.value) }), pieces) == left)
    }
}
