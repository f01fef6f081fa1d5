import PaymentRelay

/// The way of FORT's feedback to the relay: late, in any order, and now and then twice. FORT tells again until it is
/// acknowledged.
struct Feedback: Sendable {
    /// Who asks, in the history.
    static let request = "feedback"

    let host: RelayHost

    private var world: SimulatedWorld { host.world }

    func deliver(_ notice: ProcessorNotice) {
        let copies = world.chance.happens(world.rates.feedbackTwice) ? 2 : 1
        for _ in 0..<copies {
            world.start {
                await host.entertain {
                    await world.timeline.sleep(world.chance.duration(upTo: .seconds(120)))
                    while world.timeline.now < RelayHost.patience, !(await hand(over: notice)) {
                        await world.timeline.sleep(.seconds(10))
                    }
                }
            }
        }
    }

    /// False where it was not acknowledged.
    private func hand(over notice: ProcessorNotice) async -> Bool {
        guard let process = host.process else { return false }
        world.note("FORT tells of \(notice.merchantReference): \(notice.subject), \(notice.answer.meaning)")
        do {
            let learn = host.bug?.learn ?? { try await $0.learn($1, request: Self.request) }
            let isKnown = try await learn(process.relay, notice)
            return isKnown && !process.life.isOver
        } catch {
            world.note("feedback is not acknowledged: \(error)")
            return false
        }
    }
}
