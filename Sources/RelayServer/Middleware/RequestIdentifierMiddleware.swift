import HTTPTypes
import Hummingbird
import Logging

/// Takes the client's `X-Request-Id` for the request's identifier, so that both logs can be matched. One that
/// is too long, or has anything but letters, digits and a few signs, is left alone, and the request has an identifier of
/// our own.
struct RequestIdentifierMiddleware: RouterMiddleware {
    /// In characters. It stands in log lines and in the journal.
    private static let longest = 64
    private static let signs = Set("-_.:/+=".utf8)

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let sent = request.headers[.requestIdentifier].flatMap { Self.isUsable($0) ? $0 : nil }
        var context = context
        // As a string, so that it is not formatted again for each line.
        context.logger[metadataKey: "hb.request.id"] = .string(sent ?? context.id)
        return try await next(request, context)
    }

    private static func isUsable(_ identifier: String) -> Bool {
        (1...longest).contains(identifier.utf8.count)
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: signs.contains(byte)
                }
            }
    }
}
