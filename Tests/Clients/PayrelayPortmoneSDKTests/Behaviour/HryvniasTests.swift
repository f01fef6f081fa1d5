import PayrelayPrimitives
import Testing

@testable import PayrelayPortmoneSDK

@Suite struct HryvniasTests {
    @Test("Every amount that is written with two decimals is exactly its kopecks, and back")
    func exact() throws {
        var kopecks = 0
        while kopecks <= MinorUnits.limit {
            let text = "\(kopecks / 100).\(kopecks % 100 < 10 ? "0" : "")\(kopecks % 100)"
            let amount = try #require(Double(text))
            #expect(try MinorUnits(hryvnias: amount).value == kopecks)
            #expect(MinorUnits(kopecks)?.hryvnias == amount)
            // Try every small amount, and then ever larger steps that are not multiples of a round number.
            kopecks += 1 + kopecks / 9_973
        }
        #expect(try MinorUnits(hryvnias: 99_999_999.99).value == MinorUnits.limit)
        #expect(try MinorUnits(hryvnias: -0.0).value == 0)
    }

    @Test(
        "A number that is not an amount of money is error 2004",
        arguments: [
            -0.01, -1, .nan, .signalingNaN, .infinity, -.infinity, 0.001, 10.005, 1e-300, 0.1 + 0.2,
            Double.leastNonzeroMagnitude, 100_000_000, 1e16, 1e300, .greatestFiniteMagnitude,
        ])
    func refused(amount: Double) {
        let error = #expect(throws: PortmoneError.self) { try MinorUnits(hryvnias: amount) }
        #expect(error?.code == 2004)
    }
}
