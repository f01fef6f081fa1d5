import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import HTTPListener

/// Connections in virtual time: ten seconds for the head, twenty for the body and for the answer, sixty without a request.
@Suite struct RequestLimitsTests {
    private static let head = "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n"
    private static let whole = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let malformed = "G@T /1 HTTP/1.1\r\n\r\n"

    private func connection(_ capacity: ListenerCapacity? = nil, from address: String = "127.0.0.1") throws
        -> TestConnection
    {
        try TestConnection(capacity ?? ListenerCapacity(limits: ListenerLimits()), from: address)
    }

    private func capacity(bytes: Int) -> ListenerCapacity {
        var limits = ListenerLimits()
        limits.bodyBytesTotal = bytes
        return ListenerCapacity(limits: limits)
    }

    private static func post(_ length: Int, sent: Int) -> String {
        "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n" + String(repeating: " ", count: sent)
    }

    // MARK: Deadlines

    @Test("S5: a connection without a head is closed without an answer")
    func closesAConnectionWithoutAHead() throws {
        let connection = try connection()
        connection.pass(9)
        #expect(connection.isOpen)
        connection.pass(1)
        #expect(!connection.isOpen)
        #expect(try connection.received().isEmpty)
    }

    @Test("S5: a slow body is answered with 408, and the responder does not take its beginning for the whole body")
    func answersASlowBody() throws {
        let connection = try connection()
        connection.send(Self.head)
        for _ in 1...19 {
            connection.pass(1)
            connection.send("{")
        }
        #expect(try connection.received().isEmpty)
        connection.pass(1)
        #expect(try connection.statuses() == [408])
        #expect(throws: ChannelError.inputClosed) { try connection.channel.throwIfErrorCaught() }
        connection.answer(.badRequest)
        #expect(try connection.received().isEmpty)
        connection.pass(2)
        #expect(!connection.isOpen)
    }

    @Test("no deadline runs while a response is made, and a connection without a request is closed after its own")
    func runsNoDeadlineWhileAResponseIsMade() throws {
        let connection = try connection()
        connection.send(Self.whole)
        connection.pass(3_600)
        #expect(connection.isOpen)
        connection.answer()
        connection.pass(59)
        #expect(try connection.statuses() == [200])
        #expect(connection.isOpen)
        connection.pass(1)
        #expect(!connection.isOpen)
    }

    @Test("the deadline of a pipelined request begins with the answer to the one before it")
    func timesAPipelinedRequestAfterTheFirstResponse() throws {
        let connection = try connection()
        connection.send(Self.whole + Self.head)
        connection.pass(3_600)
        #expect(connection.isOpen)
        connection.answer()
        connection.pass(19)
        #expect(try connection.statuses() == [200])
        connection.pass(1)
        #expect(try connection.statuses() == [408])
    }

    @Test("a body that is answered early and does not end closes the connection")
    func timesTheRestOfABodyThatWasAnsweredEarly() throws {
        let connection = try connection()
        connection.send(Self.head)
        connection.pass(10)
        connection.answer(.unauthorized)
        connection.send("{")
        connection.pass(9)
        #expect(connection.isOpen)
        connection.pass(1)
        #expect(!connection.isOpen)
        #expect(try connection.statuses() == [401])
    }

    @Test("S14: a client that takes nothing of its answer is disconnected, however short the answer is")
    func closesAClientThatDoesNotRead() throws {
        let connection = try connection()
        connection.set(isReading: false)
        connection.send(Self.whole)
        connection.answer(body: "a")
        connection.pass(19)
        #expect(connection.isOpen)
        connection.pass(1)
        #expect(!connection.isOpen)
    }

    @Test("S14: a client that takes nothing of a stream is disconnected, although more is written to it")
    func closesAClientThatDoesNotReadAStream() throws {
        let connection = try connection()
        connection.set(isReading: false)
        connection.send(Self.whole)
        connection.answer(body: "a", isEnded: false)
        for _ in 1...19 {
            connection.pass(1)
            connection.channel.pipeline.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "a")), promise: nil)
        }
        #expect(connection.isOpen)
        connection.pass(1)
        #expect(!connection.isOpen)
    }

    @Test("a client that reads in time keeps its connection")
    func keepsAClientThatReads() throws {
        let connection = try connection()
        connection.send(Self.whole)
        connection.answer(body: "a", isEnded: false)
        for _ in 1...10 {
            connection.set(isReading: false)
            connection.channel.pipeline.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "a")), promise: nil)
            connection.pass(19)
            connection.set(isReading: true)
        }
        connection.channel.pipeline.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        connection.pass(59)
        #expect(connection.isOpen)
    }

    // MARK: One request at a time

    @Test("S14: no request is begun while the client does not read, and none of them is decoded")
    func beginsNoRequestWhileNothingIsRead() throws {
        let connection = try connection()
        connection.set(isReading: false)
        connection.send(String(repeating: Self.whole, count: 100))
        #expect(try connection.requests() == ["/1."])
        connection.answer(body: "a")
        #expect(try connection.requests() == [])
        connection.set(isReading: true)
        #expect(try connection.requests() == ["/1."])
        #expect(try connection.statuses() == [200])
    }

    @Test("requests that come in one read are answered in their order", arguments: [1, 2, 7, 4_096])
    func answersInOrder(pieceLength: Int) throws {
        let connection = try connection()
        let chunked =
            "POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n4\r\n\r\n\r\n\r\n0\r\nX: a\r\n\r\n"
        let sized = "\r\nPOST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\na\r\n\r\nGET"
        let text = Self.whole + chunked + sized + Self.whole.replacing("GET /1", with: "GET /4")
        var rest = text[...]
        while !rest.isEmpty {
            connection.send(String(rest.prefix(pieceLength)))
            rest = rest.dropFirst(pieceLength)
        }
        var seen: [String] = []
        for _ in 1...4 {
            seen += try connection.requests().map { $0.filter { $0 != " " } }
            connection.answer()
        }
        #expect(seen == ["/1.", "/2{}\r\n\r\n.", "/3a\r\n\r\nGET.", "/4."])
        #expect(try connection.statuses() == [200, 200, 200, 200])
    }

    @Test(
        "a client that has closed its side gets the answers to all that it sent, and the end of its input comes after them"
    )
    func answersAHalfClosedClient() throws {
        let connection = try connection()
        let seen = InputEnd()
        try connection.channel.pipeline.syncOperations.addHandler(seen)
        connection.send(Self.whole + Self.whole)
        connection.finishSending()
        #expect(!seen.hasCome)
        connection.answer()
        connection.answer()
        #expect(seen.hasCome)
        #expect(try connection.statuses() == [200, 200])
    }

    @Test("a client that has closed its side and reads late gets its whole answer")
    func closesAfterTheAnswerIsTaken() throws {
        let connection = try connection()
        connection.send(Self.whole)
        connection.finishSending()
        connection.set(isReading: false)
        connection.answer(body: "late")
        connection.channel.close(promise: nil)
        #expect(connection.isOpen)
        connection.set(isReading: true)
        #expect(try connection.received().hasSuffix("late"))
        #expect(!connection.isOpen)
    }

    @Test("Expect: 100-continue is answered once the body is wanted, and only if none of it has come")
    func asksForABodyOnceItIsWanted() throws {
        let expecting = Self.head.replacing("Host", with: "Expect: 100-continue\r\nHost")
        for (text, statuses) in [(expecting, [100]), (expecting + "{", []), (Self.head, [])] {
            let connection = try connection()
            connection.send(text)
            #expect(try connection.statuses() == [])
            connection.channel.pipeline.triggerUserOutboundEvent(BodyWanted(), promise: nil)
            #expect(try connection.statuses() == statuses)
        }
    }

    // MARK: Rejections

    @Test("S4: a request that is not read is answered with its own status, and the connection ends")
    func rejects() throws {
        let long = "GET /1 HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n"
        let chunks = "POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n50000\r\n"
        for (text, status) in [
            (long, 431), (Self.malformed, 400), ("BREW /1 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
            (chunks + String(repeating: "x", count: 0x50000), 413),
        ] {
            let connection = try connection()
            connection.send(text)
            let answer = try connection.received()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.contains("\r\nConnection: close\r\n"))
            connection.send(Self.whole)
            #expect(try connection.received().isEmpty)
            connection.pass(2)
            #expect(!connection.isOpen)
        }
    }

    @Test("a pipelined request is rejected after the answer to the one before it")
    func rejectsAfterTheFirstResponse() throws {
        for second in [
            Self.malformed, Self.head.replacing("Content-Length: 100", with: "Transfer-Encoding: chunked") + "zz\r\n",
        ] {
            let connection = try connection()
            connection.send(Self.whole + second)
            #expect(try connection.received().isEmpty)
            connection.answer()
            #expect(try connection.statuses() == [200, 400])
            connection.pass(2)
            #expect(!connection.isOpen)
        }
    }

    @Test("a response to HEAD, a 304 and a response of unknown length are framed by RFC 9112, 6.3")
    func framesResponses() throws {
        for (request, status, fields, expected) in [
            ("HEAD", HTTPResponse.Status.ok, ["Content-Length": "42"], "Content-Length: 42\r\n\r\n"),
            ("HEAD", .ok, [:], "HTTP/1.1 200 OK\r\n\r\n"),
            ("GET", .notModified, [:], "HTTP/1.1 304 Not Modified\r\n\r\n"),
            ("GET", .ok, [:], "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ] {
            let connection = try connection()
            connection.send(Self.whole.replacing("GET", with: request))
            var response = HTTPResponse(status: status)
            for (name, value) in fields { response.headerFields[try #require(HTTPField.Name(name))] = value }
            connection.channel.pipeline.write(HTTPResponsePart.head(response), promise: nil)
            connection.channel.pipeline.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
            let text = try connection.received()
            #expect(text.lowercased().hasSuffix(expected.lowercased()), "\(text)")
        }
    }

    // MARK: The listener's end

    @Test(
        "a connection of a listener that closes soon ends with its next response, and says so",
        arguments: [false, true])
    func endsConnectionsWhileItDrains(isTold: Bool) throws {
        let flag = Flag()
        let connection = try connection(
            ListenerCapacity(limits: ListenerLimits(), isDraining: { flag.isSet.load(ordering: .relaxed) }))
        connection.send(Self.whole + Self.whole)
        if isTold {
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        } else {
            flag.isSet.store(true, ordering: .relaxed)
        }
        connection.answer()
        #expect(!(try connection.received().contains("Connection: close")), "what was sent before is answered")
        connection.answer()
        #expect(try connection.received().contains("Connection: close"))
        connection.send(Self.whole)
        #expect(try connection.requests().count == 2)
        connection.pass(2)
        #expect(!connection.isOpen)
    }

    @Test("a connection without a request is closed once the listener closes")
    func closesIdleConnections() throws {
        let connection = try connection()
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!connection.isOpen)
    }

    // MARK: Room for others

    @Test("S14: the bytes that a connection makes the listener hold count while it holds them, and no longer")
    func countsWhatIsHeld() throws {
        let capacity = capacity(bytes: 100_000)
        let busy = try connection(capacity, from: "192.0.2.1")
        for _ in 0..<20 {
            busy.send(Self.post(20_000, sent: 20_000))
            busy.answer()
        }
        for _ in 0..<9 {
            let gone = try connection(capacity, from: "192.0.2.1")
            gone.send(Self.post(70_000, sent: 60_000))
            try gone.channel.close().wait()
            gone.channel.embeddedEventLoop.run()
        }
        let other = try connection(capacity, from: "192.0.2.2")
        other.send(Self.post(90_000, sent: 80_000))
        for connection in [busy, other] { connection.channel.embeddedEventLoop.run() }
        #expect(try other.received().isEmpty)
        #expect(other.isOpen && busy.isOpen)
    }

    @Test(
        "S14: the address that holds the most makes room: with half a body, half a head, or an answer that it does not read"
    )
    func theGreediestMakesRoom() throws {
        for kind in 0..<3 {
            let capacity = capacity(bytes: 100_000)
            let greedy = try (0..<8).map { _ in
                let greedy = try connection(capacity, from: "192.0.2.1")
                switch kind {
                case 0: greedy.send(Self.post(20_000, sent: 12_000))
                case 1: greedy.send("GET /1 HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 12_000))
                default:
                    greedy.set(isReading: false)
                    greedy.send(Self.whole)
                    greedy.answer(body: String(repeating: "x", count: 12_000))
                }
                return greedy
            }
            let other = try connection(capacity, from: "192.0.2.2")
            other.send(Self.post(20_000, sent: 10_000))
            for connection in greedy + [other] { connection.channel.embeddedEventLoop.run() }
            #expect(greedy.count { !$0.isOpen } == 1 && !greedy[0].isOpen, "\(kind)")
            #expect(try other.received().isEmpty)
            #expect(other.isOpen)
        }
    }

    @Test("S14: a connection that is closed for others is closed beneath TLS", arguments: [false, true])
    func closesBeneathTLSForOthers(isRefused: Bool) throws {
        let connection = try TestConnection(ListenerCapacity(limits: ListenerLimits()), above: ClosesNever())
        if isRefused { connection.send(Self.malformed) }
        #expect(connection.isOpen)
        connection.handlers.connection.held?.end(for: .connection)
        connection.channel.embeddedEventLoop.run()
        #expect(!connection.isOpen)
    }

    private final class Flag: Sendable { let isSet = Atomic(false) }
}

/// A TLS handler whose client does not answer its close_notify.
private final class ClosesNever: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {}
}

/// A handler that sees the end of the input.
private final class InputEnd: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    var hasCome = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hasCome = true }
    }
}
