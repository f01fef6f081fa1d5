import FoundationEssentials
import Observability
import PayrelayAPI
import PayrelayPrimitives
import TokenMint

extension CannedPayments {
    /// The sandbox decides the outcome by the amount. A payment with this amount is captured.
    private static let amount: MinorUnits = 10_000
    /// The number of payments that are minted and kept at a time.
    private static let portion = 64

    /// Mints a token for each payment of a schedule, on all cores.
    ///
    /// Each token is signed for the time at which it will be sent, so that the last token of a long run is as
    /// fresh as the first. Relays check the signing time (300 seconds in either direction).
    ///
    /// - Parameters:
    ///   - name: the prefix of the references, which must be new to the relay.
    ///   - folder: a folder with about 4 KB of free space for each payment.
    ///   - currencies: the currencies of the payments, in turn.
    ///   - onProgress: called from time to time with the number of prepared payments.
    ///   - now: the clock.
    /// - Throws: ``CannedPaymentsError``, `CancellationError`, or an error about a file that could not be
    ///   written.
    static func minted(
        for schedule: ArrivalSchedule, name: String, in folder: String, cores: Int, currencies: [Currency],
        onProgress: (Int) -> Void = { _ in }, now: () -> Date = { Date() }
    ) async throws -> CannedPayments {
        let references = (0..<schedule.count).map { "\(name)-\($0)" }
        let start = try estimatedStart(minting: references, cores: cores, currencies, now: now)
        var writer = try CannedPaymentsWriter(references: references, in: folder)
        try await withThrowingTaskGroup(of: (Range<Int>, [[UInt8]]).self) { group in
            var next = 0
            func addPortion() {
                let numbers = next..<min(next + portion, schedule.count)
                guard !numbers.isEmpty else { return }
                next = numbers.upperBound
                group.addTask {
                    try Task.checkCancellation()
                    return (numbers, try bodies(references[numbers], currencies) { start + schedule.due($0).inSeconds })
                }
            }
            for _ in 0..<cores { addPortion() }
            while let (numbers, bodies) = try await group.next() {
                addPortion()
                for (number, body) in zip(numbers, bodies) { try writer.write(body, of: number) }
                onProgress(writer.count)
            }
        }
        // Half of the time that relays allow. The other half is for a run that falls behind.
        guard abs(now().timeIntervalSince(start)) < 150 else { throw CannedPaymentsError.staleTokens }
        return writer.payments()
    }

    /// Returns the time at which all tokens will be minted, estimated from the time that a few take.
    private static func estimatedStart(
        minting references: [String], cores: Int, _ currencies: [Currency], now: () -> Date
    ) throws -> Date {
        let sample = references.prefix(portion)
        let start = now()
        _ = try bodies(sample, currencies) { _ in start }
        let end = now()
        return end + end.timeIntervalSince(start) * Double(references.count) / Double(sample.count * cores)
    }

    /// Returns the bodies of payments, each with a newly minted token.
    ///
    /// - Parameter signedAt: returns the signing time of the token for a payment number.
    private static func bodies(
        _ references: ArraySlice<String>, _ currencies: [Currency], signedAt: (Int) -> Date
    ) throws -> [[UInt8]] {
        let mint = TokenMint()
        return try zip(references.indices, references).map { number, reference in
            let currency = currencies[number % currencies.count]
            let contents = TokenContents(amount: amount.value, currency: currency.code)
            return paymentBody(
                reference, currency: currency, token: try mint.mint(contents, signedAt: signedAt(number)))
        }
    }

    /// Returns the body of `POST /v1/payments`.
    static func paymentBody(_ reference: String, currency: Currency, token: JSON) -> [UInt8] {
        var order = Order(reference, amount: amount, currency: currency, customerEmail: "load@example.com")
        order.customerIP = "192.0.2.10"
        return order.body(with: AppleToken(json: token))
    }
}
