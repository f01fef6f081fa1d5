import HTTPListener
import HTTPTypes
import NIOCore
import PayrelayPrimitives
import ServedFiles

/// `GET /payrelay.js`, the same module at a path with its version, and `GET /payrelay.d.ts`: the module for
/// checkout pages, and its types.
struct GetWebAsset {
    static let module = GetWebAsset(
        mediaType: "text/javascript; charset=utf-8", bytes: WebAssets.module, compressed: WebAssets.compressedModule)
    // No media type is registered for TypeScript.
    static let declarations = GetWebAsset(mediaType: "text/plain; charset=utf-8", bytes: WebAssets.declarations)

    private let mediaType: String
    /// One buffer for all responses; so is the compressed form.
    private let bytes: ByteBuffer
    private let compressed: ByteBuffer?
    private let version: String

    private init(mediaType: String, bytes: [UInt8], compressed: [UInt8]? = nil) {
        self.mediaType = mediaType
        self.bytes = ByteBuffer(bytes: bytes)
        self.compressed = compressed.map { ByteBuffer(bytes: $0) }
        version = WebAssets.version(of: bytes)
    }

    /// Returns the module, with caching rules that depend on the path:
    ///
    /// - At the fixed path, browsers revalidate the module each time.
    /// - At the path with the current version, the module never changes, so browsers keep it for a year.
    /// - At the path with another version, the current module is returned and revalidated each time. A page that
    ///   was loaded before the relay was updated may still use such a path.
    func respond(to request: RelayRequest) -> Answer {
        let path = (request.head.path ?? "").cut(at: "?").before
        let isVersion = path.begins(with: "/payrelay/\(version)/")
        let isCompressed = compressed != nil && Self.takesGzip(request.head.headerFields)
        let tag = "\"\(version)\(isCompressed ? "-gzip" : "")\""
        var fields: HTTPFields = [
            .contentType: mediaType, .eTag: tag,
            .cacheControl: isVersion ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if compressed != nil { fields[.vary] = "Accept-Encoding" }
        if isCompressed { fields[.contentEncoding] = "gzip" }
        guard !Self.matches(tag, request.head.headerFields[values: .ifNoneMatch]) else {
            fields[.contentType] = nil
            fields[.contentEncoding] = nil
            return Answer(head: HTTPResponse(status: .notModified, headerFields: fields), body: [])
        }
        return Answer(
            head: HTTPResponse(status: .ok, headerFields: fields), buffer: isCompressed ? compressed ?? bytes : bytes)
    }

    /// Whether the client accepts gzip. A coding may be listed with a weight, and the weight 0 excludes it (RFC
    /// 9110, 12.5.3).
    private static func takesGzip(_ fields: HTTPFields) -> Bool {
        fields[values: .acceptEncoding].flatMap { $0.parts(at: ",") }.contains { entry in
            let (coding, weight) = entry.cut(at: ";")
            guard coding.trimmedOfSpaces.isSame(ignoringCaseOf: "gzip") else { return false }
            guard let quality = weight?.trimmedOfSpaces.cut(at: "=").after else { return true }
            return quality.utf8.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        }
    }

    /// Whether one of the entity tags matches. A weak tag, as a compressing proxy writes it, matches, too (RFC
    /// 9110, 13.1.2).
    private static func matches(_ tag: String, _ values: [String]) -> Bool {
        values.flatMap { $0.parts(at: ",") }.map(\.trimmedOfSpaces).contains { candidate in
            ["*", tag, "W/\(tag)"].contains { candidate.isExactly($0) }
        }
    }
}
