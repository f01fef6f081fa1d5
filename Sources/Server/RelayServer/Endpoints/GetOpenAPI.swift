import HTTPTypes
import HTTPListener
import OpenAPIDocument

/// `GET /openapi.yaml`: what this service takes and answers, for programs to read.
struct GetOpenAPI {
    func respond(to request: RelayRequest) -> WholeResponse {
        // RFC 9512.
        WholeResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/yaml"]),
            body: OpenAPIDocument.bytes)
    }
}
