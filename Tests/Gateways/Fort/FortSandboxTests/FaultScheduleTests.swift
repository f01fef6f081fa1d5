import FortAPI
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import FortSandbox

/// The schedule decides which fault strikes which request before anything is sent.
@Suite struct FaultScheduleTests {
    @Test func theSameSeedStrikesTheSameRequests() {
        let rules = [FaultRule(.reset, probability: 0.3), FaultRule(.garbage, probability: 0.5)]
        let (first, second) = (strikes(seed: 7, rules), strikes(seed: 7, rules))
        #expect(first == second)
        #expect(first != strikes(seed: 8, rules))
    }

    /// In 20,000 draws the share is within four standard deviations of the probability: 0.0139 for 0.4, and less for the
    /// others.
    @Test(arguments: [0.0, 0.001, 0.1, 0.4, 0.9, 1.0])
    func aFaultStrikesWithItsProbability(probability: Double) {
        for seed in [0, 1, UInt64.max] {
            let struck = strikes(seed: seed, [FaultRule(.reset, probability: probability)], count: 20_000).count {
                $0 != nil
            }
            #expect(abs(Double(struck) / 20_000 - probability) < 0.014)
            if probability == 0 || probability == 1 { #expect(Double(struck) == probability * 20_000) }
        }
    }

    @Test func seedsAndRulesDrawIndependently() {
        let even = [FaultRule(.reset, probability: 0.5)]
        let first = strikes(seed: 1, even, count: 20_000)
        let next = strikes(seed: 2, even, count: 20_000)
        let both = zip(first, next).count { $0 != nil && $1 != nil }
        #expect(abs(Double(both) / 20_000 - 0.25) < 0.014)
    }

    @Test func rulesBesideEachOtherDrawIndependently() {
        let even = [FaultRule(.reset, probability: 0.5), FaultRule(.garbage, probability: 0.5)]
        let struck = strikes(seed: 1, even, count: 20_000)
        #expect(abs(Double(struck.count { $0 == .reset }) / 20_000 - 0.5) < 0.014)
        #expect(abs(Double(struck.count { $0 == .garbage }) / 20_000 - 0.25) < 0.014)
    }

    @Test func aRuleForOneCommandStrikesTheSameOnesWhateverComesBetween() {
        let rules = [
            FaultRule(.garbage, probability: 0, command: .checkStatus),
            FaultRule(.reset, probability: 0.5, command: .purchase),
        ]
        var (alone, among) = (FaultSchedule(seed: 3, rules), FaultSchedule(seed: 3, rules))
        for number in 0..<200 {
            let query = number % 3 == 0 ? among.next(for: .checkStatus) : among.next(for: nil)
            #expect(query == nil)
            #expect(alone.next(for: .purchase) == among.next(for: .purchase))
        }
        #expect(among.met == [67, 200])
    }

    @Test func aCountIsTheMostThatARuleStrikes() {
        var schedule = FaultSchedule([FaultRule(.neverAnswer, count: 2), FaultRule(.http500, count: 1)])
        let faults = (0..<5).map { _ in schedule.next(for: .purchase)?.fault }
        #expect(faults == [.neverAnswer, .neverAnswer, .http500, nil, nil])
        #expect(schedule.struck == [2, 1])
    }

    @Test func aRuleWithoutACommandStrikesWhatHasNone() {
        var schedule = FaultSchedule([FaultRule(.garbage)])
        #expect(schedule.next(for: nil)?.fault == .garbage)
    }

    @Test func aScheduleIsReadFromJSON() throws {
        let schedule = try FaultSchedule(json: [
            "seed": 42,
            "faults": [
                ["fault": "slow", "probability": .number("0.25"), "seconds": 2],
                ["fault": "wrong_signature", "command": "CHECK_STATUS", "count": 3],
            ],
        ])
        #expect(
            schedule
                == FaultSchedule(
                    seed: 42,
                    [
                        FaultRule(.slow, probability: 0.25, seconds: 2),
                        FaultRule(.wrongSignature, command: .checkStatus, count: 3),
                    ]))
        #expect(schedule.json["faults"]?.arrayValue?[1]["struck"] == 0)
    }

    @Test func everythingWrongWithAScheduleIsNamed() {
        let json: JSON = [
            "seeds": 1, "seed": -1,
            "faults": [
                ["fault": "explode", "probability": 2], ["probability": "often", "count": 0, "command": "PAY"],
                ["fault": "slow"], ["fault": "reset", "seconds": 1], "reset",
            ],
        ]
        let error = #expect(throws: ValidationErrors.self) { try FaultSchedule(json: json) }
        #expect(
            error?.errors.map(\.field) == [
                "seeds", "seed", "faults[0].fault", "faults[0].probability", "faults[1].fault",
                "faults[1].probability", "faults[1].command", "faults[1].count", "faults[2].seconds",
                "faults[3].seconds", "faults[4]", "faults[4].fault",
            ])
        #expect(throws: ValidationErrors.self) { try FaultSchedule(json: []) }
        #expect(throws: ValidationErrors.self) { try FaultSchedule(json: [:]) }
        let many = [JSON](repeating: ["fault": "reset"], count: FaultSchedule.ruleLimit + 1)
        #expect(throws: ValidationErrors.self) { try FaultSchedule(json: ["faults": .array(many)]) }
    }

    private func strikes(seed: UInt64, _ rules: [FaultRule], count: Int = 1_000) -> [SandboxFault?] {
        var schedule = FaultSchedule(seed: seed, rules)
        return (0..<count).map { _ in schedule.next(for: .purchase)?.fault }
    }
}
