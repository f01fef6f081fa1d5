import Foundation

/// An HTTP request as a test's server reads it from a connection.
public struct ReceivedRequest: Sendable {
    /// The first line.
    public let line: String
    /// The headers, by their names in lower case.
    public let headers: [String: String]
    public let body: [UInt8]

    /// Waits for a request on the caller's thread. Returns `nil` if the peer disconnected.
    public init?(from connection: Int32) {
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes = Data()
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) {
                let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let fields = lines.dropFirst().compactMap { line -> (String, String)? in
                    guard let colon = line.firstIndex(of: ":") else { return nil }
                    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                    return (line[..<colon].lowercased(), value)
                }
                let headers = Dictionary(fields) { first, _ in first }
                let body = bytes[end.upperBound...]
                if body.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 {
                    self.line = lines[0]
                    self.headers = headers
                    self.body = Array(body)
                    return
                }
            }
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            bytes += piece.prefix(count)
        }
    }
}
