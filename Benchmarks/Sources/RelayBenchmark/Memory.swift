import Measuring

/// The relay's resident set while tens of thousands of payments go through the relay.
@MainActor struct Memory {
    /// The resident set after each portion, in bytes.
    private var residentBytes: [Int] = []
    private let count: Int
    private static let portion = 10_000

    /// - Parameter count: The total number of payments.
    init(_ program: String, payments count: Int) async throws {
        self.count = count
        let relays = try Relays(program, journal: .sqlite)
        for start in stride(from: 0, to: count, by: Self.portion) {
            progress("memory, after \(start) of \(count) payments")
            // Tokens are minted in portions, because all of them at once would fill the memory.
            let purchases = try await Purchases.minted(min(Self.portion, count - start), called: "ORDER-\(start)")
            try relays.load(connections: Saturation.connections).run(purchases.toRelay())
            residentBytes.append(try relays.relays[0].residentBytes)
        }
    }

    func rows() -> [Row] {
        let (first, last) = (residentBytes.first ?? 0, residentBytes.last ?? 0)
        return [
            Row(
                "**memory** after \(count) payments, against after the first \(min(Self.portion, count))",
                last.mebibytes,
                beside: first.mebibytes, ratio: Double(last) / Double(first), atMost: 1.1)
        ]
    }
}
