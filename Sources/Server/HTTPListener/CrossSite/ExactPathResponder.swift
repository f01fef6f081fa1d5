public import Hummingbird
import PayrelayPrimitives

/// A responder that rejects paths which are not written exactly, for the sandboxes. Hummingbird's router treats
/// `//v1//payments/` as `/v1/payments`; a proxy in front of it may not.
public struct ExactPathResponder<Base: HTTPResponder>: HTTPResponder {
    public typealias Context = Base.Context

    private let base: Base

    public init(_ base: Base) {
        self.base = base
    }

    public func respond(to request: Request, context: Context) async throws -> Response {
        if ExactPath.isExact(request.head.path) { return try await base.respond(to: request, context: context) }
        // No route has the path `/`, so the request is answered with 404.
        var head = request.head
        head.path = "/"
        return try await base.respond(to: Request(head: head, body: request.body), context: context)
    }
}

/// The exact form of a path.
public enum ExactPath {
    /// Whether the path, without its query, is a sequence of segments that each follow a slash. No segment may be
    /// empty, `.` or `..`, or contain a percent-encoded slash, backslash or NUL.
    public static func isExact(_ target: String?) -> Bool {
        guard let target, target.utf8.first == UInt8(ascii: "/") else { return false }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard !segment.isEmpty else { return false }
            // Most segments contain neither a leading dot nor a percent sign.
            guard segment.first == UInt8(ascii: ".") || segment.contains(UInt8(ascii: "%")) else { continue }
            let text = String(decoding: segment, as: UTF8.self).lowercasedASCII.replacingEach("%2e", with: ".")
            guard text != ".", text != "..", !["%2f", "%5c", "%00"].contains(where: { text.has($0) }) else {
                return false
            }
        }
        return true
    }
}
