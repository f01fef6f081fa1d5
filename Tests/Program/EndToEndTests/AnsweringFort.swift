import FortAPI
import Hummingbird
import NIOCore
import PayrelayPrimitives

/// A FORT with the answers of a test, signed for an account.
final class AnsweringFort: Sendable {
    /// Signs with HMAC-SHA256.
    static let phrase = "answering-fort"

    let endpoint: String
    private let server: LocalServer

    /// - Parameter answer: the members of the answer, in addition to the echo of the request, and to FORT's number of the order where
    ///   it is about one.
    init(_ answer: @escaping @Sendable (JSONObject) -> JSONObject) async throws {
        let router = Router()
        router.post("/FortAPI/paymentApi") { request, _ in
            let body = try await request.body.collect(upTo: 1_048_576)
            let request = try JSON(parsing: Array(body.readableBytesView)).objectValue ?? [:]
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: Self.signed(request, answer(request)))))
        }
        server = try await LocalServer(router)
        endpoint = "http://127.0.0.1:\(server.port)/FortAPI/paymentApi"
    }

    /// The settings of a relay that takes it for its FORT.
    var settings: [String: String] {
        [
            "PAYRELAY_FORT_ENDPOINT": endpoint, "PAYRELAY_FORT_RESPONSE_PHRASE": Self.phrase,
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "1",
        ]
    }

    private static func signed(_ request: JSONObject, _ answer: JSONObject) -> [UInt8] {
        var message = JSONObject(
            request.members.filter { $0.name != "signature" && !$0.name.hasPrefix("apple_") }.map {
                ($0.name, $0.value)
            })
        if request["command"] != nil || answer["transaction_status"] != nil {
            message["fort_id"] = "149295435400084008"
        }
        for member in answer.members { message[member.name] = member.value }
        let signature = FortSignature(of: message, phrase: Secret(phrase), type: .standard)
        message["signature"] = .string(signature.hexadecimal)
        return JSON.object(message).encoded()
    }
}
