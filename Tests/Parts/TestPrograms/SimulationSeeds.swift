import Foundation

/// Which seeds a simulation runs.
public enum SimulationSeeds {
    /// The variable's value is no range of seeds.
    public struct Unreadable: Error {
        let text: String
    }

    /// `PAYRELAY_SIMULATION_SEEDS=A..B` runs those seeds, B among them, instead of the usual ones.
    public static func chosen(usually usual: ClosedRange<UInt64>) throws -> ClosedRange<UInt64> {
        try named("PAYRELAY_SIMULATION_SEEDS") ?? usual
    }

    /// `PAYRELAY_SIMULATION_DAYS=A..B` runs a day for each of those seeds, which takes a while; nil without it.
    public static func ofDays() throws -> ClosedRange<UInt64>? { try named("PAYRELAY_SIMULATION_DAYS") }

    private static func named(_ variable: String) throws -> ClosedRange<UInt64>? {
        guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
        let bounds = text.components(separatedBy: "..").compactMap { UInt64($0) }
        guard bounds.count == 2, bounds[0] <= bounds[1] else { throw Unreadable(text: text) }
        return bounds[0]...bounds[1]
    }
}
