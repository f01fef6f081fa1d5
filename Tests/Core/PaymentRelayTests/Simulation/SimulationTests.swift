import JournalContract
import TestPrograms
import Testing

@Suite struct SimulationTests {
    private static let usual = UInt64(1)...1_000
    /// Seeds that follow the usual ones until every rare event was reached. The first one crashes at a CAPTURE.
    private static let rare = UInt64(3_733)...20_000
    /// The number of schedules that are searched for a planted mistake.
    private static let enough = UInt64(20_000)

    /// Parts of a trace that show rare events. Schedules that never reach these events would find nothing there.
    private static let hardPlaces: Set = [
        "crashes, next was: claim", "crashes, next was: returned from claim", "crashes, next was: AUTHORIZATION",
        "crashes, next was: returned from PURCHASE", "crashes, next was: outcome",
        "crashes, next was: returned from outcome",
        "crashes, next was: returned from CHECK_STATUS", "is reported as failed", "is not sent", "is lost",
        "is forged",
        "copies 2", "again, by sending", "onHold", "is off hold: charged", "is off hold: declined",
        "asked about ORDER-1: notFound", "to notSent: done", "to notProcessed: done", "to uncertain: no longer",
        "from uncertain to captured: done", "from uncertain to declined: done", "receives nothing",
        "receives inFlight",
        "receives notSent", "receives journalUnavailable", "receives referenceTaken", "receives tokenTaken",
        "receives not_processed", "crashes, next was: change",
        "crashes, next was: returned from change",
        "crashes, next was: CAPTURE", "crashes, next was: returned from REFUND", "REFUND ORDER-1 is sent",
        "on hold",
        "receives pending", "receives notAllowed", "receives done", "VOID_AUTHORIZATION 10000 of ORDER-1: done",
        ": refused",
        "FORT tells of ORDER-1: charge", "feedback is not acknowledged", "CAPTURE 7 of", "REFUND 11 of",
        ", not_processed: done", ", uncertain: done", "crashes, next was: event",
        "crashes, next was: returned from event",
        "crashes, next was: returned from lease events", "crashes, next was: acknowledge event",
        "network: event ORDER-1",
        "FORT: answers senselessly", "a second try", "SDK-1 is paid elsewhere", "ORDER-2 is paid elsewhere",
        "a second charge",
        "CAPTURE 1000 of", "REFUND 2000 of", "crashes, next was: lease hints", "crashes, next was: hint about",
        "from uncertain to captured: done", "impostor: other", "impostor: main",
        "meets no server", "is not answered, the primary has failed", "starts, of instance 3",
        "the backend: event ORDER-1 2: refused", "the backend: event ORDER-1 4: acknowledged",
    ]

    @Test("R5, R8, R9: under every kind of fault and crash, FORT's books, the journal and the answers agree")
    func keepsFortTheJournalAndTheClientsInAgreement() async throws {
        let seeds = try SimulationSeeds.chosen(usually: Self.usual)
        var unreached = Self.hardPlaces
        let isUsual = seeds == Self.usual
        for seed in Array(seeds) + (isUsual ? Array(Self.rare) : []) {
            if seed > seeds.upperBound, unreached.isEmpty { break }
            let report = try Simulation(seed: seed).run()
            guard report.findings.isEmpty else {
                Issue.record(
                    """
                    seed \(seed) found:
                    \(report.findings.joined(separator: "\n"))

                    its course:
                    \(report.trace.joined(separator: "\n"))

                    run it again: make simulate SEEDS=\(seed)..\(seed)
                    """)
                return
            }
            unreached = unreached.filter { place in !report.trace.contains { $0.contains(place) } }
            await Task.yield()
        }
        // Seeds chosen on the command line may be too few to reach every rare event.
        #expect(unreached == [] || !isUsual)
    }

    /// A seed takes some minutes: `make simulate-day`.
    @Test(
        "R7, R8: over a day of instances that crash and a primary that fails, books, journal and answers agree",
        .enabled("PAYRELAY_SIMULATION_DAYS names no seeds") { try SimulationSeeds.ofDays() != nil })
    func keepsADayInAgreement() throws {
        for seed in try #require(try SimulationSeeds.ofDays()) {
            let report = try Simulation(seed: seed, scale: .day).run()
            #expect(report.findings == [], "seed \(seed)")
            let failovers = report.trace.count { $0.contains("a standby takes over") }
            let crashes = report.trace.count { $0.contains("crashes, next was") }
            print("seed \(seed): \(report.trace.count) steps, \(failovers) failovers, \(crashes) crashes")
        }
    }

    @Test("R8: a schedule of faults replays from its seed") func replaysAScheduleFromItsSeed() throws {
        for seed in UInt64(1)...50 {
            let (first, second) = (try Simulation(seed: seed).run(), try Simulation(seed: seed).run())
            #expect(first.trace == second.trace, "seed \(seed)")
        }
    }

    @Test("R8: the simulation finds every mistake that is made on purpose", arguments: PlantedBug.all)
    func findsAMistakeMadeOnPurpose(bug: PlantedBug) throws {
        let found = try (bug.firstSeed..<bug.firstSeed + Self.enough).first { seed in
            try Simulation(seed: seed, bug: bug).run().findings.contains { $0.contains(bug.sign) }
        }
        #expect(found != nil, "\(Self.enough) seeds did not find it")
        if let found, found > bug.firstSeed + 20 {
            print("To save time, begin at seed \(found): \(bug.testDescription)")
        }
    }
}
