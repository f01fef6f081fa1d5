/// Why a text is not the XML that it should be.
public enum PlainXMLError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    case tooDeep
    case notUTF8
    /// It was cut off.
    case endsEarly
    /// The text at this byte offset is unexpected, or is refused whatever it means.
    case unexpected(at: Int)
    /// An element has elements and text.
    case mixed
    /// An element stands twice where it may stand once.
    case repeated(String)

    public var description: String {
        switch self {
        case .tooLarge: "it is too large"
        case .tooDeep: "it is too deep"
        case .notUTF8: "it is not UTF-8"
        case .endsEarly: "it ends too early"
        case .unexpected(let place): "what stands at byte \(place) is refused"
        case .mixed: "an element has elements and text"
        case .repeated(let name): "\(name) stands twice"
        }
    }
}
