import PaymentRelay

/// The merchant's backend as one process of the relay reaches it: over a network that loses, delays and doubles messages. The
/// backend may refuse an event.
struct SimulatedReceiver: EventReceiver {
    let backend: Backend
    let life: ProcessLife
    let world: SimulatedWorld

    let timeout = Duration.seconds(20)

    func deliver(_ event: MerchantEvent) async -> DeliveryResult {
        let what = "event \(event.reference ?? "?") \(event.number ?? 0)"
        do {
            try await life.step(what)
            let reception = await withCheckedContinuation { continuation in
                send(event, what, to: FirstAnswer(continuation))
            }
            try await life.step("returned from \(what)")
            world.note("the backend: \(what): \(reception)")
            return DeliveryResult(reception)
        } catch {
            return DeliveryResult(.unanswered(reason: "the process ended"))
        }
    }

    private func send(_ event: MerchantEvent, _ what: String, to reply: FirstAnswer<EventReception>) {
        world.timeline.after(timeout) { reply.give(.unanswered(reason: "timeout")) }
        for _ in 0..<(world.strikes(\.requestDoubled) ? 2 : 1) {
            if world.strikes(\.requestLost) {
                world.note("network: \(what) is lost")
                continue
            }
            let isLate = world.strikes(\.requestLate)
            world.timeline.after(world.chance.duration(in: isLate ? 15_000...58_000 : 5...500)) {
                arrive(event, to: reply)
            }
        }
    }

    private func arrive(_ event: MerchantEvent, to reply: FirstAnswer<EventReception>) {
        let isRefused = world.strikes(\.eventRefused)
        if !isRefused { backend.take(event) }
        if world.strikes(\.answerLost) { return }
        world.timeline.after(world.chance.duration(in: 5...500)) {
            reply.give(isRefused ? .refused(reason: "503") : .acknowledged)
        }
    }
}
