/// `docs/openapi.yaml` as it was when this was built, in the binary itself: OpenAPI 3.1, UTF-8.
///
/// `openapi.yaml` beside this file is a link to the document, so there is one text and no copy to keep the same.
public enum OpenAPIDocument {
    public static var bytes: [UInt8] { PackageResources.openapi_yaml }
}
