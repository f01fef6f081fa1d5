import CServedFiles

/// `docs/openapi.yaml` as it was when this was built, in the binary itself: OpenAPI 3.1, UTF-8.
public enum OpenAPIDocument {
    /// One buffer, which all answers share.
    public static let bytes: [UInt8] = {
        let file = payrelay_openapi_yaml()
        return Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.length)))
    }()
}
