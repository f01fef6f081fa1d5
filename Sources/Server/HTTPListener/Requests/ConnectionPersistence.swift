import NIOHTTP1
import PayrelayPrimitives

extension HTTPRequestHead {
    /// Whether the connection ends with the response to this request (RFC 9112, 9.3): it has the option `close`, whatever stands beside
    /// it, or speaks HTTP/1.0. There `keep-alive` would have to be agreed to in the response, and no response here does.
    ///
    /// So does one that asks for another protocol, or for a tunnel, and gets neither: the decoder reads nothing behind it, and would
    /// keep it. To the decoder, `Proxy-Connection` is `Connection`.
    var endsConnection: Bool {
        version != .http1_1 || method == .CONNECT || headers.contains(name: "Upgrade")
            || ["Connection", "Proxy-Connection"].contains { name in
                headers[name].contains { field in
                    field.parts(at: ",").contains { $0.trimmedOfSpaces.isSame(ignoringCaseOf: "close") }
                }
            }
    }

    /// The same request with the one option `close`: what answers it knows that alone.
    var endingConnection: HTTPRequestHead {
        var head = self
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // Such a client does not know the status 100 (RFC 9110, 10.1.1).
        if version != .http1_1 { head.headers.remove(name: "Expect") }
        return head
    }
}
