/// Why a text is not the base64 or hex it should be, worded to follow the name of a field: "is not base64: …".
public struct TextEncodingError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
