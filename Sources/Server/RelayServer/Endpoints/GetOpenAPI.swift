import HTTPTypes
import HTTPListener
import NIOCore
import OpenAPIDocument

/// `GET /openapi.yaml`: what this service takes and answers, for programs to read.
struct GetOpenAPI {
    /// One for all responses: a client that reads none of them makes the relay hold none.
    private static let document = ByteBuffer(bytes: OpenAPIDocument.bytes)

    func respond(to request: RelayRequest) -> Answer {
        // RFC 9512.
        Answer(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/yaml"]),
            buffer: Self.document)
    }
}
