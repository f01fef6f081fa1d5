public import Hummingbird
import PayrelayPrimitives

/// Matches a path as it is written, for the sandboxes: Hummingbird's router takes `//v1//payments/` for `/v1/payments`, and a proxy in front
/// of it may not.
public struct ExactPathResponder<Base: HTTPResponder>: HTTPResponder {
    public typealias Context = Base.Context

    private let base: Base

    public init(_ base: Base) {
        self.base = base
    }

    public func respond(to request: Request, context: Context) async throws -> Response {
        if ExactPath.isExact(request.head.path) { return try await base.respond(to: request, context: context) }
        // No route has the empty path.
        var head = request.head
        head.path = "/"
        return try await base.respond(to: Request(head: head, body: request.body), context: context)
    }
}

/// How a path has to be written.
public enum ExactPath {
    /// Whether the path, without its query, is segments with a slash before each, none of them empty, a dot or two, and none with
    /// a slash, a backslash or a NUL that is written with a percent sign.
    public static func isExact(_ target: String?) -> Bool {
        guard let target, target.utf8.first == UInt8(ascii: "/") else { return false }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard !segment.isEmpty else { return false }
            // Few segments have any of these.
            guard segment.first == UInt8(ascii: ".") || segment.contains(UInt8(ascii: "%")) else { continue }
            let text = String(decoding: segment, as: UTF8.self).lowercasedASCII.replacingEach("%2e", with: ".")
            guard text != ".", text != "..", !["%2f", "%5c", "%00"].contains(where: { text.has($0) }) else {
                return false
            }
        }
        return true
    }
}
