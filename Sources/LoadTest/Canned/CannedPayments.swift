/// The bodies of a run's payments, ready before its clock starts, each with a token and a reference of its own.
///
/// They lie in a file: at five hundred a second, ten minutes of them are more than a gigabyte.
public final class CannedPayments: Sendable {
    /// By number.
    public let references: [String]
    private let ranges: [Range<Int>]
    private let file: SpoolFile

    init(references: [String], ranges: [Range<Int>], file: SpoolFile) {
        self.references = references
        self.ranges = ranges
        self.file = file
    }

    public var count: Int { references.count }

    /// What is posted for this payment.
    func body(_ number: Int) throws(SpoolError) -> [UInt8] {
        try file.read(ranges[number])
    }
}
