import HTTPTypes
import Hummingbird
import NIOCore
import OpenAPIDocument

/// `GET /openapi.yaml`: what this service takes and answers, for programs to read.
struct GetOpenAPI {
    private let document = ByteBuffer(bytes: OpenAPIDocument.bytes)

    func respond(to request: Request, context: RelayRequestContext) -> Response {
        // RFC 9512.
        Response(status: .ok, headers: [.contentType: "application/yaml"], body: ResponseBody(byteBuffer: document))
    }
}
