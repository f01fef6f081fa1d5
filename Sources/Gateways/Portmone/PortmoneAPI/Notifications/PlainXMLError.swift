/// The reason why a text is rejected by ``PlainXML``.
public enum PlainXMLError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    case tooDeep
    case notUTF8
    /// The text ends before the document does.
    case endsEarly
    /// The text at this byte offset is unexpected, or is never accepted.
    case unexpected(at: Int)
    /// An element contains both elements and text.
    case mixed
    /// An element that may occur once occurs several times.
    case repeated(String)

    public var description: String {
        switch self {
        case .tooLarge: "it is too large"
        case .tooDeep: "it is too deep"
        case .notUTF8: "it is not UTF-8"
        case .endsEarly: "it ends too early"
        case .unexpected(let place): "the text at byte \(place) is refused"
        case .mixed: "an element has elements and text"
        case .repeated(let name): "\(name) occurs twice"
        }
    }
}
