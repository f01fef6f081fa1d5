import ApplePayToken
import JournalContract
import PayrelayPrimitives

@testable import PaymentRelay

/// A client that pays one order, and repeats its request until it gets a final answer. Several customers may pay the same
/// order, or pay different orders with the same token. Some pay with a stored card.
struct Customer: Sendable {
    let name: String
    let reference: String
    /// The earliest time at which the customer comes.
    let opens: Duration
    /// The token, or `nil` for a stored card, which may pay any number of orders.
    let token: PaymentToken?
    /// The amount. Requests with different amounts have different bodies.
    let amount: MinorUnits
    let command: Order.Command
    let host: RelayHost

    private var world: SimulatedWorld { host.world }

    /// The fingerprint that makes two requests the same request. The attempt's number is not part of it.
    private var fingerprint: RequestFingerprint {
        RequestFingerprint(
            fields: ["merchant_reference": reference, "amount": "\(amount)", "command": command.rawValue],
            token: token?.digest)
    }

    func shop() async {
        if opens > .zero { await world.timeline.sleep(opens) }
        await world.pause(milliseconds: world.chance.happens(0.5) ? 0...50 : 0...60_000)
        var finalAnswers = 0
        for attempt in 1...8 where finalAnswers < 3 {
            if let received = await ask("\(name)-\(attempt)") {
                switch received.refusal {
                case .referenceTaken, .tokenTaken: return
                default: finalAnswers += received.settled == nil ? 0 : 1
                }
            }
            await world.timeline.sleep(world.chance.duration(upTo: .seconds(60)))
        }
    }

    /// Makes one request, and waits for its answer as long as the caller has patience.
    ///
    /// - Returns: The answer, or `nil` if the caller received nothing.
    private func ask(_ attempt: String) async -> ReceivedAnswer? {
        guard let process = host.process else { return nil }
        let asked = world.timeline.now
        let isSync = world.chance.happens(world.rates.sync)
        world.note("caller \(attempt) asks for \(reference)\(isSync ? ", sync" : ", \(amount)")")
        let patience = world.chance.duration(in: world.chance.happens(0.3) ? 0...3_000 : 40_000...100_000)
        let received = await withCheckedContinuation { continuation in
            let first = FirstAnswer<ReceivedAnswer?>(continuation)
            let request = Task(executorPreference: world.thread) {
                await host.keepRunning {
                    guard let answer = await isSync ? sync(process.relay) : pay(process.relay, attempt) else {
                        return first.give(nil)
                    }
                    let history = try? await process.relay.history(of: reference)
                    // A process that has ended does not answer a client.
                    if process.life.isOver { return first.give(nil) }
                    first.give(
                        ReceivedAnswer(
                            attempt: attempt, reference: reference, fingerprint: fingerprint, asked: asked,
                            at: world.timeline.now, answer: answer, history: history))
                }
            }
            world.timeline.after(patience) {
                request.cancel()
                first.give(nil)
            }
        }
        world.note("caller \(attempt) receives \(received.map(\.answer.word) ?? "nothing")")
        if let received { host.receives(received) }
        return received
    }

    private func pay(_ relay: PaymentRelay, _ attempt: String) async -> Result<Payment, PaymentRefusal> {
        let fields = [
            "account": "main", "merchant_reference": reference, "amount": "\(amount)", "command": command.rawValue,
            "attempt": attempt,
        ]
        let prepared =
            token.map { token in try? relay.gateways.prepare(fields, with: token) }
            ?? (try? relay.gateways.prepareRecurring(fields))
        guard let charge = prepared else { return .failure(.inFlight) }
        let request = PaymentRequest(charge, fingerprint: fingerprint, identifier: attempt)
        do throws(PaymentRefusal) {
            return .success(try await relay.pay(request).payment)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the answer, or `nil` if there is no such payment or the journal could not be read.
    private func sync(_ relay: PaymentRelay) async -> Result<Payment, PaymentRefusal>? {
        guard let payment = try? await relay.sync(reference), !payment.isMadeElsewhere else { return nil }
        return .success(payment)
    }
}

extension Result<Payment, PaymentRefusal> {
    fileprivate var word: String {
        switch self {
        case .success(let payment): payment.state.rawValue
        case .failure(let refusal): "\(refusal)"
        }
    }
}
