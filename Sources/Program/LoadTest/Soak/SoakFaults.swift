import PayrelayPrimitives
import OutboundHTTP

/// Injects faults into the sandbox during a long run: three times, for a tenth of it each. Beginning and end are without faults, so
/// that they can be compared.
struct SoakFaults {
    private let client: OutboundClient
    /// The sandbox's address, for example `http://127.0.0.1:9090`.
    private let sandbox: String

    /// The sandbox did not accept the faults.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// When they are switched on and when off again, in tenths of the run.
    private static let spells = [2..<3, 4..<5, 6..<7]

    /// One request in twelve meets a fault, and one in twenty a delay.
    static let schedule: JSON = [
        "seed": 1,
        "faults": [
            ["fault": "reset", "probability": .number("0.01")],
            ["fault": "truncate", "probability": .number("0.01")],
            ["fault": "garbage", "probability": .number("0.01")],
            ["fault": "wrong_signature", "probability": .number("0.01")],
            ["fault": "other_order", "probability": .number("0.01")],
            ["fault": "http_500", "probability": .number("0.02")],
            ["fault": "charge_and_never_answer", "probability": .number("0.005")],
            ["fault": "never_answer", "probability": .number("0.005")],
            ["fault": "slow", "seconds": .number("0.5"), "probability": .number("0.05")],
        ],
    ]

    private static let none: JSON = ["faults": []]

    init(client: OutboundClient, sandbox: String) {
        self.client = client
        self.sandbox = sandbox
    }

    /// Switches them on and off while a run of this duration lasts; off at the end, also where it is cancelled.
    ///
    /// - Throws: ``Failure``: a soak test without its faults would prove less than it claims.
    func accompany(_ duration: Duration) async throws {
        let start = ContinuousClock.now
        for spell in Self.spells {
            do {
                try await Task.sleep(until: start + duration * spell.lowerBound / 10, clock: .continuous)
                try await put(Self.schedule)
                try await Task.sleep(until: start + duration * spell.upperBound / 10, clock: .continuous)
            } catch is CancellationError {
                return
            }
            try await put(Self.none)
        }
    }

    private func put(_ faults: JSON) async throws(Failure) {
        let request = OutboundRequest(
            method: .put, url: "\(sandbox)/_sandbox/faults",
            headers: [(name: "Content-Type", value: "application/json")], body: faults.encoded())
        do {
            let answer = try await client.send(request).get()
            guard answer.status < 300 else {
                throw Failure(description: "the sandbox answered \(answer.status) to its faults")
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "the sandbox's faults cannot be switched: \(error)")
        }
    }
}
