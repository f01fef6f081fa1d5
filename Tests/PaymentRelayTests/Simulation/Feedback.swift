import PaymentRelay

/// FORT's feedback on its way to the relay: late, in any order, and sometimes twice. FORT repeats it until it is
/// acknowledged.
struct Feedback: Sendable {
    /// The request identifier of notifications, in the history.
    static let request = "feedback"

    let host: RelayHost

    private var world: SimulatedWorld { host.world }

    func deliver(_ notification: ProcessorNotification) {
        let copies = world.chance.happens(world.rates.feedbackTwice) ? 2 : 1
        for _ in 0..<copies {
            world.start {
                await host.keepRunning {
                    await world.timeline.sleep(world.chance.duration(upTo: .seconds(120)))
                    while world.timeline.now < RelayHost.patience, !(await hand(over: notification)) {
                        await world.timeline.sleep(.seconds(10))
                    }
                }
            }
        }
    }

    /// - Returns: whether it was acknowledged.
    private func hand(over notification: ProcessorNotification) async -> Bool {
        guard let process = host.process else { return false }
        world.note(
            "FORT tells of \(notification.merchantReference): \(notification.subject), \(notification.answer.meaning)")
        do {
            let apply = host.bug?.apply ?? { try await $0.apply($1, request: Self.request) }
            let application = try await apply(process.relay, notification)
            return application != .unknown && !process.life.isOver
        } catch {
            world.note("feedback is not acknowledged: \(error)")
            return false
        }
    }
}

extension PaymentRelay {
    /// Direct feedback.
    func apply(
        _ notification: ProcessorNotification, request: String
    ) async throws(NotificationError) -> Application {
        try await apply(notification, kind: .direct, request: request)
    }
}
