/// Why a text is not valid base64 or hex, worded to follow the name of a field, such as "is not base64: …".
public struct TextEncodingError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
