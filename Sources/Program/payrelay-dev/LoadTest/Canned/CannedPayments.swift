/// The bodies of a run's payments, which are prepared before the clock starts. Each has its own token and
/// reference.
///
/// They are stored in a file, because ten minutes of payments at five hundred per second take more than a
/// gigabyte.
final class CannedPayments: Sendable {
    /// The references by payment number.
    let references: [String]
    private let ranges: [Range<Int>]
    private let file: SpoolFile

    init(references: [String], ranges: [Range<Int>], file: SpoolFile) {
        self.references = references
        self.ranges = ranges
        self.file = file
    }

    var count: Int { references.count }

    /// Returns the request body of a payment.
    func body(_ number: Int) throws(SpoolError) -> [UInt8] {
        try file.read(ranges[number])
    }
}

/// Writes the bodies of a run's payments into their file, in any order.
struct CannedPaymentsWriter {
    private let references: [String]
    private let file: SpoolFile
    private var ranges: [Range<Int>]
    private var end = 0
    /// The number of bodies that were written.
    private(set) var count = 0

    init(references: [String], in folder: String) throws(SpoolError) {
        self.references = references
        file = try SpoolFile(in: folder)
        ranges = Array(repeating: 0..<0, count: references.count)
    }

    mutating func write(_ body: [UInt8], of number: Int) throws(SpoolError) {
        try file.write(body, at: end)
        ranges[number] = end..<end + body.count
        end += body.count
        count += 1
    }

    /// Returns the payments. Must be called after each payment has its body.
    func payments() -> CannedPayments {
        precondition(count == references.count, "each payment has a body")
        return CannedPayments(references: references, ranges: ranges, file: file)
    }
}

/// Why a run's payments cannot be prepared.
enum CannedPaymentsError: Error, Equatable, CustomStringConvertible {
    /// The signing times of the tokens, which were chosen before minting, are too far from the time of their use.
    case staleTokens
    /// The folder has too few files, because each payment needs its own token.
    case tooFewFiles(folder: String, files: Int, needed: Int)
    case unreadable(file: String)
    /// The file is neither a token nor a body of `POST /v1/payments` with one.
    case noToken(file: String)

    var description: String {
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
