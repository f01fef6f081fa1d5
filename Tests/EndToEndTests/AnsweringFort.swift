import FortAPI
import Hummingbird
import Logging
import NIOCore
import Primitives
import Synchronization

/// A FORT that says what a test tells it to, signed as the sandbox's account expects, while it is used.
final class AnsweringFort: Sendable {
    /// Signs with HMAC-SHA256.
    static let phrase = "answering-fort"

    let endpoint: String
    private let server: Task<Void, any Error>

    /// - Parameter answer: what is answered to a request, besides what FORT echoes of it.
    init(_ answer: @escaping @Sendable (JSONObject) -> JSONObject) async throws {
        let router = Router()
        router.post("/FortAPI/paymentApi") { request, _ in
            let body = try await request.body.collect(upTo: 1_048_576)
            let request = try JSON(parsing: Array(body.readableBytesView)).objectValue ?? [:]
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: Self.signed(request, answer(request)))))
        }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { listening.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "fort") { _ in SwiftLogNoOpLogHandler() })
        server = Task { try await application.run() }
        var port = 0
        for await number in ports {
            port = number
            break
        }
        endpoint = "http://127.0.0.1:\(port)/FortAPI/paymentApi"
    }

    deinit { server.cancel() }

    private static func signed(_ request: JSONObject, _ answer: JSONObject) -> [UInt8] {
        var message = JSONObject(
            request.members.filter { $0.name != "signature" && !$0.name.hasPrefix("apple_") }.map {
                ($0.name, $0.value)
            })
        for member in answer.members { message[member.name] = member.value }
        let signature = FortSignature(of: message, phrase: Secret(phrase), type: .standard)
        message["signature"] = .string(signature.hexadecimal)
        return JSON.object(message).encoded()
    }
}
