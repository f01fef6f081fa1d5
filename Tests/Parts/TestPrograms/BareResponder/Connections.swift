import Foundation

/// The listener and its connections, used by one thread.
struct Connections {
    private let answer: (String, Int) -> BareResponder.Answer
    private var polled: [pollfd]
    /// The bytes of an incomplete request, by descriptor.
    private var received: [Int32: [UInt8]] = [:]
    private var answered = 0
    private var piece = [UInt8](repeating: 0, count: 65_536)

    init(listener: Int32, answer: @escaping (String, Int) -> BareResponder.Answer) {
        self.answer = answer
        polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    }

    /// Waits at most a tenth of a second for events, and serves them.
    mutating func serve() {
        guard poll(&polled, nfds_t(polled.count), 100) > 0 else { return }
        var closed: Set<Int32> = []
        for place in polled.indices.dropFirst() where polled[place].revents != 0 {
            if !read(polled[place].fd) { closed.insert(polled[place].fd) }
        }
        if polled[0].revents != 0 { accept() }
        guard !closed.isEmpty else { return }
        polled.removeAll { closed.contains($0.fd) }
        for descriptor in closed {
            received[descriptor] = nil
            Foundation.close(descriptor)
        }
    }

    mutating func close() {
        for entry in polled { Foundation.close(entry.fd) }
        polled = []
    }

    private mutating func accept() {
        let descriptor = Foundation.accept(polled[0].fd, nil, nil)
        guard descriptor >= 0 else { return }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        received[descriptor] = []
    }

    /// Reads from a connection. Returns `false` at its end.
    private mutating func read(_ descriptor: Int32) -> Bool {
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return false }
        received[descriptor, default: []] += piece[..<count]
        guard let request = received[descriptor], let body = Self.body(of: request) else { return true }
        received[descriptor] = []
        let answer = answer(Self.reference(in: body), answered)
        answered += 1
        let text = """
            HTTP/1.1 \(answer.status) Answer\r\nContent-Type: application/json\r\n\
            Content-Length: \(answer.body.utf8.count)\r\n\r\n\(answer.body)
            """
        let bytes = Array(text.utf8)
        return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Returns the body, or `nil` if the request is incomplete.
    private static func body(of request: [UInt8]) -> ArraySlice<UInt8>? {
        guard let header = request.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let name = Array("Content-Length: ".utf8)
        guard let length = request[..<header.lowerBound].firstRange(of: name) else {
            return request[header.upperBound...]
        }
        let digits = request[length.upperBound...].prefix { $0 != UInt8(ascii: "\r") }
        let count = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        return request.count - header.upperBound >= count ? request[header.upperBound...] : nil
    }

    private static func reference(in body: ArraySlice<UInt8>) -> String {
        guard let name = body.prefix(256).firstRange(of: Array(#""merchant_reference":""#.utf8)) else { return "" }
        return String(decoding: body[name.upperBound...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
}
