import HTTPListener
import HTTPTypes
import NIOCore
import ServedFiles

/// `GET /openapi.yaml`: the machine-readable description of this API.
struct GetOpenAPI {
    /// All responses share one buffer, so clients that do not read their responses cost no extra memory.
    private static let document = ByteBuffer(bytes: OpenAPIDocument.bytes)

    func respond(to request: RelayRequest) -> Answer {
        // The media type is from RFC 9512.
        Answer(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/yaml"]),
            buffer: Self.document)
    }
}
