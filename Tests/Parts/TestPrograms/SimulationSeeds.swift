import Foundation

/// The seeds that a simulation runs.
public enum SimulationSeeds {
    /// The variable's value is not a range of seeds.
    public struct Unreadable: Error {
        let text: String
    }

    /// Returns the seeds to run. `PAYRELAY_SIMULATION_SEEDS=A..B` replaces the usual seeds with A to B, including B.
    public static func chosen(usually usual: ClosedRange<UInt64>) throws -> ClosedRange<UInt64> {
        try named("PAYRELAY_SIMULATION_SEEDS") ?? usual
    }

    /// Returns the seeds for which `PAYRELAY_SIMULATION_DAYS=A..B` runs a day, which takes a while; `nil` without the variable.
    public static func ofDays() throws -> ClosedRange<UInt64>? { try named("PAYRELAY_SIMULATION_DAYS") }

    private static func named(_ variable: String) throws -> ClosedRange<UInt64>? {
        guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
        let bounds = text.components(separatedBy: "..").compactMap { UInt64($0) }
        guard bounds.count == 2, bounds[0] <= bounds[1] else { throw Unreadable(text: text) }
        return bounds[0]...bounds[1]
    }
}
