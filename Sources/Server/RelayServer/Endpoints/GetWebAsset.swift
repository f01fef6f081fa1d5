import HTTPTypes
import HTTPListener
import WebAssets

/// `GET /payrelay.js` and `GET /payrelay.d.ts`: the module for checkout pages, and its types.
struct GetWebAsset {
    static let module = GetWebAsset(mediaType: "text/javascript; charset=utf-8", bytes: WebAssets.module)
    // No media type is registered for TypeScript.
    static let declarations = GetWebAsset(mediaType: "text/plain; charset=utf-8", bytes: WebAssets.declarations)

    let mediaType: String
    let bytes: [UInt8]

    func respond(to request: RelayRequest) -> WholeResponse {
        WholeResponse(head: HTTPResponse(status: .ok, headerFields: [.contentType: mediaType]), body: bytes)
    }
}
