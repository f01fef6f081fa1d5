/// Puts the bodies of a run's payments into their file, in any order.
struct CannedPaymentsWriter {
    private let references: [String]
    private let file: SpoolFile
    private var ranges: [Range<Int>]
    private var end = 0
    /// How many are written.
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

    /// What was written, once each payment has its body.
    func payments() -> CannedPayments {
        precondition(count == references.count, "each payment has a body")
        return CannedPayments(references: references, ranges: ranges, file: file)
    }
}
