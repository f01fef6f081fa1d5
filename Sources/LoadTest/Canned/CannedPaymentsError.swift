/// Why a run's payments cannot be made ready.
public enum CannedPaymentsError: Error, Equatable, CustomStringConvertible {
    /// The tokens' signing times, chosen before they were minted, are too far from the time of their use.
    case staleTokens
    /// Each payment needs a token of its own.
    case tooFewFiles(folder: String, files: Int, needed: Int)
    case unreadable(file: String)
    /// Neither a token nor a body of `POST /v1/payments` with one.
    case noToken(file: String)

    public var description: String {
        switch self {
        case .staleTokens:
            "minting took much longer than its beginning promised, and the tokens would not be fresh; ask for fewer payments"
        case .tooFewFiles(let folder, let files, let needed):
            "\(folder) holds \(files) files whose names end in .json, and the run needs \(needed): each payment needs a token of its own"
        case .unreadable(let file): "\(file) cannot be read"
        case .noToken(let file): "\(file) holds neither a token nor a body of POST /v1/payments with one"
        }
    }
}
