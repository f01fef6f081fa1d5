import SandboxParts
import PayrelayPrimitives

/// Injects faults into the sandbox during a long run: three times, for a tenth of it each. Beginning and end are without faults, so
/// that they can be compared.
struct SoakFaults {
    let sandbox: SandboxFaults

    /// When they are switched on and when off again, in tenths of the run.
    private static let spells = [2..<3, 4..<5, 6..<7]

    /// One request in twelve meets a fault, and one in twenty a delay.
    ///
    /// - Parameter answerFault: the one that only this gateway's answers can have.
    static func schedule(_ answerFault: String) -> JSON {
        [
            "seed": 1,
            "faults": [
                ["fault": "reset", "probability": .number("0.01")],
                ["fault": "truncate", "probability": .number("0.01")],
                ["fault": "garbage", "probability": .number("0.01")],
                ["fault": .string(answerFault), "probability": .number("0.01")],
                ["fault": "other_order", "probability": .number("0.01")],
                ["fault": "http_500", "probability": .number("0.02")],
                ["fault": "charge_and_never_answer", "probability": .number("0.005")],
                ["fault": "never_answer", "probability": .number("0.005")],
                ["fault": "slow", "seconds": .number("0.5"), "probability": .number("0.05")],
            ],
        ]
    }

    /// Switches them on and off while a run of this duration lasts; off at the end, also where it is cancelled.
    ///
    /// - Throws: ``SandboxFaults/Failure``: a soak test without its faults would prove less than it claims.
    func accompany(_ duration: Duration) async throws {
        let start = ContinuousClock.now
        for spell in Self.spells {
            do {
                try await Task.sleep(until: start + duration * spell.lowerBound / 10, clock: .continuous)
                try await sandbox.put { Self.schedule($0.answerFault) }
                try await Task.sleep(until: start + duration * spell.upperBound / 10, clock: .continuous)
            } catch is CancellationError {
                return
            }
            try await sandbox.clear()
        }
    }
}
