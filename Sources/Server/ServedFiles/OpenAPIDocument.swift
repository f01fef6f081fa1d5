import CServedFiles

/// `docs/openapi.yaml` at build time, embedded in the binary: OpenAPI 3.1, UTF-8.
public enum OpenAPIDocument {
    /// The document's bytes. All responses share this buffer.
    public static let bytes: [UInt8] = {
        let file = payrelay_openapi_yaml()
        return Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.length)))
    }()
}
