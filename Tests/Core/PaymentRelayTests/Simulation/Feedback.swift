import PaymentRelay

/// FORT's feedback on its way to the relay: late, in any order, and sometimes twice. FORT repeats it until it is
/// acknowledged.
struct Feedback: Sendable {
    let host: RelayHost

    private var world: SimulatedWorld { host.world }

    func deliver(_ hint: GatewayHint) {
        let copies = world.chance.happens(world.rates.feedbackTwice) ? 2 : 1
        for _ in 0..<copies {
            world.start {
                await host.keepRunning {
                    await world.timeline.sleep(world.chance.duration(upTo: .seconds(120)))
                    while world.timeline.now < world.patience, !(await hand(over: hint)) {
                        await world.timeline.sleep(.seconds(10))
                    }
                }
            }
        }
    }

    /// - Returns: Whether the feedback was acknowledged.
    private func hand(over hint: GatewayHint) async -> Bool {
        guard let process = host.process else { return false }
        world.note("FORT tells of \(hint.merchantReference): \(hint.subject), \(hint.statement)")
        do {
            let receive = host.bug?.receive ?? { try await $0.takeHint($1) }
            return try await receive(process.relay, hint) && !process.life.isOver
        } catch {
            world.note("feedback is not acknowledged: \(error)")
            return false
        }
    }
}

extension PaymentRelay {
    /// Takes a hint as the endpoint of FORT's direct feedback does.
    ///
    /// - Returns: Whether the hint is acknowledged.
    func takeHint(_ hint: GatewayHint) async throws(JournalError) -> Bool {
        if try await knows(hint) { return true }
        return try await record(hint, kind: .direct)
    }
}
