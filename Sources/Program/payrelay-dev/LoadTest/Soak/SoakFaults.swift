import PayrelayPrimitives
import SandboxParts

/// Injects faults into the sandbox during a long run: three times, each time for a tenth of the run. There are no
/// faults at the beginning and at the end, so that these can be compared.
struct SoakFaults {
    let sandbox: SandboxFaults

    /// When the faults are switched on and off, in tenths of the run.
    private static let spells = [2..<3, 4..<5, 6..<7]

    /// Returns faults of which about one request in twelve meets one, and one in twenty is delayed.
    ///
    /// - Parameter answerFault: the fault that only this gateway's answers can have.
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

    /// Switches the faults on and off during a run of this duration. They are off at the end, even if the task is
    /// cancelled.
    ///
    /// - Throws: ``SandboxFaults/Failure``, because a soak test without its faults would prove less than it
    ///   claims.
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
