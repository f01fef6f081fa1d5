import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient

@Suite struct PaymentAttemptsTests {
    private func problem(_ status: Int, _ kind: ProblemKind = .invalidFields) -> PaymentAttempts.Event {
        .answered(
            .problem(ProblemDocument(name: kind.rawValue, title: "t", status: status, detail: "d"), retryAfter: nil))
    }

    private func payment(_ outcome: String) throws -> PaymentAttempts.Event {
        .answered(.payment(try Documents.payment(outcome), retryAfter: 2))
    }

    /// Events after which the client sends the request again, and whether the event leaves open that the request has arrived.
    private static let retried: [(String, PaymentAttempts.Event, mayHaveArrived: Bool)] = [
        ("connection lost", .failed(.lost("")), true),
        ("no connection", .failed(.notSent("")), false),
        ("a proxy's answer", .answered(.foreign(retryAfter: nil)), true),
        ("400 incomplete-body", documented(400, .incompleteBody), false),
        ("400 malformed-request", documented(400, .malformedRequest), false),
        ("408", documented(408, .requestTooSlow), false),
        ("409 in-flight", documented(409, .inFlight), true),
        ("429", documented(429, .tooManyRequests), false),
        ("500", documented(500, .internal), true),
        ("503", documented(503, .gatewayUnreachable), false),
    ]

    private static func documented(_ status: Int, _ kind: ProblemKind) -> PaymentAttempts.Event {
        .answered(
            .problem(ProblemDocument(name: kind.rawValue, title: "t", status: status, detail: "d"), retryAfter: nil))
    }

    @Test(
        "Lost connections, requests that came in part, 408, 409 in-flight, 429, 5xx and foreign answers are sent again")
    func areSentAgain() {
        for (name, event, mayHaveArrived) in Self.retried {
            var attempts = PaymentAttempts(pays: true)
            #expect(attempts.next(after: event, of: .pay, canPay: true).step == .pay, "\(name)")
            #expect(attempts.mayHaveArrived == mayHaveArrived, "\(name)")
        }
    }

    @Test("400, 401, 403, 422 and a used token are not sent again")
    func areNotSentAgain() {
        for (status, kind) in [
            (400, .invalidFields), (401, .notAuthenticated), (403, .otherOrder), (403, .notPermitted),
            (409, .tokenUsed), (413, .bodyTooLarge), (422, .tokenRefused),
            (422, .simulatorToken),
        ] as [(Int, ProblemKind)] {
            var attempts = PaymentAttempts(pays: true)
            let action = attempts.next(after: problem(status, kind), of: .pay, canPay: true)
            #expect(action.error?.mayHaveBeenCharged == (kind == .tokenUsed), "\(status) \(kind)")
        }
    }

    @Test("A refusal after an attempt that may have arrived is never reported, not even if no payment is visible")
    func aRefusalSpeaksOfItsOwnAttempt() throws {
        for (status, kind) in [
            (401, .notAuthenticated), (403, .notPermitted), (409, .tokenUsed), (422, .tokenRefused),
        ] as [(Int, ProblemKind)] {
            var attempts = PaymentAttempts(pays: true)
            _ = attempts.next(after: .failed(.lost("")), of: .pay, canPay: true)
            #expect(attempts.next(after: problem(status, kind), of: .pay, canPay: true).error == nil, "\(kind)")
            for _ in 0..<2 {
                let missing = attempts.next(after: problem(404, .noSuchPayment), of: .read, canPay: true)
                #expect(missing.step == .read, "\(kind)")
            }
            guard case .failure(.noAnswer) = attempts.atDeadline() else {
                return #expect(Bool(false), "\(attempts.atDeadline())")
            }
            let known = attempts.next(after: try payment("captured"), of: .read, canPay: true)
            #expect(known.result?.isSuccess == true, "\(kind)")
        }
    }

    @Test("An expired order token is renewed once, and does not prove that nothing was charged")
    func anExpiredOrderTokenIsRenewedOnce() {
        var attempts = PaymentAttempts(pays: true)
        _ = attempts.next(after: .failed(.lost("")), of: .pay, canPay: true)
        let expired = problem(401, .notAuthenticated)
        let first = attempts.next(after: expired, of: .pay, canPay: true)
        guard case .authenticateAndRead = first else { return #expect(Bool(false), "\(first)") }
        let second = attempts.next(after: expired, of: .read, canPay: true)
        guard case .noAnswer = second.error else { return #expect(Bool(false), "\(second)") }
    }

    @Test("An open outcome is read until it is known, and is uncertain at the deadline")
    func anOpenOutcomeIsRead() throws {
        for outcome in ["uncertain", "processing", "a word of a newer relay"] {
            var attempts = PaymentAttempts(pays: true)
            let action = attempts.next(after: try payment(outcome), of: .pay, canPay: true)
            #expect(action.step == .read)
            guard case .success(.uncertain(_?)) = attempts.atDeadline() else {
                return #expect(Bool(false), "\(attempts.atDeadline())")
            }
        }
    }

    @Test("At the deadline, the result is \"nothing sent\" only if no attempt may have arrived")
    func atTheDeadline() {
        for (name, event, mayHaveArrived) in Self.retried {
            var attempts = PaymentAttempts(pays: true)
            _ = attempts.next(after: event, of: .pay, canPay: true)
            switch attempts.atDeadline() {
            case .failure(.nothingWasSent): #expect(!mayHaveArrived, "\(name)")
            case .failure(.noAnswer), .success(.uncertain(nil)): #expect(mayHaveArrived, "\(name)")
            case let other: #expect(Bool(false), "\(name): \(other)")
            }
        }
    }

    @Test("A token that is too old is not sent: the payment is looked up, or nothing was sent")
    func aTokenThatIsTooOldIsNotSent() {
        for (name, event, mayHaveArrived) in Self.retried {
            var attempts = PaymentAttempts(pays: true)
            let action = attempts.next(after: event, of: .pay, canPay: false)
            if mayHaveArrived {
                #expect(action.step == .read, "\(name)")
            } else {
                #expect(action.error != nil, "\(name)")
            }
        }
    }

    @Test("A server that is not trusted ends a payment before it was sent, and not after")
    func aServerThatIsNotTrusted() {
        var attempts = PaymentAttempts(pays: true)
        let first = attempts.next(after: .failed(.insecure("x")), of: .pay, canPay: true)
        guard case .insecureConnection = first.error else { return #expect(Bool(false), "\(first)") }
        _ = attempts.next(after: .failed(.lost("")), of: .pay, canPay: true)
        let later = attempts.next(after: .failed(.insecure("x")), of: .pay, canPay: true)
        #expect(later.step == .pay)
    }

    @Test("A payment that was not sent is sent again; a look-up reports it once no attempt can be on its way")
    func aPaymentThatWasNotSent() throws {
        var attempts = PaymentAttempts(pays: true)
        let event = try payment("not_sent")
        #expect(attempts.next(after: event, of: .read, canPay: true).step == .pay)
        #expect(attempts.next(after: event, of: .read, canPay: false).step == .read)
        var lookUp = PaymentAttempts(pays: false)
        #expect(lookUp.next(after: event, of: .read, canPay: true).step == .read)
        guard case .success(.notProcessed) = lookUp.atDeadline() else {
            return #expect(Bool(false), "\(lookUp.atDeadline())")
        }
    }

    @Test("A payment is not reported as not sent once later look-ups had no answer")
    func anOldAnswerThatNothingWasSent() throws {
        let silent: [PaymentAttempts.Event] = [
            .failed(.lost("")), .failed(.notSent("")), .answered(.foreign(retryAfter: nil)), problem(503, .tooBusy),
        ]
        for event in silent {
            var lookUp = PaymentAttempts(pays: false)
            _ = lookUp.next(after: try payment("not_sent"), of: .read, canPay: true)
            #expect(lookUp.next(after: event, of: .read, canPay: true).step == .read)
            guard case .failure(.noAnswer) = lookUp.atDeadline() else {
                return #expect(Bool(false), "\(event): \(lookUp.atDeadline())")
            }
        }
    }

    @Test(
        "A look-up repeats the query for a missing payment until its time is over, because its request may still arrive"
    )
    func aLookUpOfNoPayment() throws {
        var attempts = PaymentAttempts(pays: false)
        let missing = problem(404, .noSuchPayment)
        #expect(attempts.next(after: missing, of: .read, canPay: true).step == .read)
        guard case .failure(.noSuchPayment) = attempts.atDeadline() else {
            return #expect(Bool(false), "\(attempts.atDeadline())")
        }
        let arrived = attempts.next(after: try payment("captured"), of: .read, canPay: true)
        #expect(arrived.result?.isSuccess == true)
    }

    @Test("A taken reference is read: its successful payment is the result, its failed payment is the refusal")
    func aReferenceThatIsTakenIsRead() throws {
        for (outcome, isResult) in [("captured", true), ("authorized", true), ("declined", false), ("voided", false)] {
            var attempts = PaymentAttempts(pays: true)
            let taken = problem(422, .referenceTaken)
            #expect(attempts.next(after: taken, of: .pay, canPay: true).step == .read)
            let action = attempts.next(after: try payment(outcome), of: .read, canPay: true)
            #expect((action.result != nil) == isResult && (action.error != nil) != isResult, "\(outcome)")
        }
        var attempts = PaymentAttempts(pays: true)
        _ = attempts.next(after: problem(422, .referenceTaken), of: .pay, canPay: true)
        let foreign = attempts.next(after: problem(404, .noSuchPayment), of: .read, canPay: true)
        guard case .referenceTaken = foreign.error else { return #expect(Bool(false), "\(foreign)") }
    }

    private func otherPayment(_ outcome: String) throws -> PaymentAttempts.Event {
        .answered(.otherPayment(try Documents.payment(outcome, amount: 9_000), retryAfter: 2))
    }

    /// A payment whose reference is taken: either only this request was sent, or an earlier request was lost and may have
    /// arrived.
    private func taken(after lost: Bool) -> PaymentAttempts {
        var attempts = PaymentAttempts(pays: true)
        if lost { _ = attempts.next(after: .failed(.lost("")), of: .pay, canPay: true) }
        _ = attempts.next(after: problem(422, .referenceTaken), of: .pay, canPay: true)
        return attempts
    }

    @Test("A taken reference does not count as free if no payment is visible, whichever attempt took it")
    func aReferenceTakenByAPaymentThatIsNotSeen() throws {
        let missing = problem(404, .noSuchPayment)
        var attempts = taken(after: true)
        for _ in 0..<2 { #expect(attempts.next(after: missing, of: .read, canPay: true).step == .read) }
        guard case .failure(.noAnswer) = attempts.atDeadline() else {
            return #expect(Bool(false), "\(attempts.atDeadline())")
        }
        let known = attempts.next(after: try payment("captured"), of: .read, canPay: true)
        #expect(known.result?.isSuccess == true)
        var earlier = taken(after: false)
        let told = earlier.next(after: missing, of: .read, canPay: true)
        #expect(told.error == .referenceTaken(by: nil) && told.error?.mayHaveBeenCharged == true)
    }

    @Test(
        "R2: a reference that pays another amount ends at once, never as this order's success, and says whether it is charged",
        arguments: [false, true])
    func aReferenceOfAnotherAmount(afterALostRequest: Bool) throws {
        for (outcome, isCharged) in [
            ("captured", true), ("authorized", true), ("partially_refunded", true),
            ("declined", false), ("voided", false), ("refunded", false), ("not_processed", false),
        ] {
            var attempts = taken(after: afterALostRequest)
            let action = attempts.next(after: try otherPayment(outcome), of: .read, canPay: true)
            #expect(action.error?.mayHaveBeenCharged == isCharged, "\(outcome)")
            guard case .referenceTaken(let earlier?) = action.error else { return #expect(Bool(false), "\(action)") }
            #expect(earlier.amount == 9_000 && earlier.outcome.rawValue == outcome)
        }
    }

    @Test("A reference whose other payment is open is queried, and may have been charged at the deadline")
    func aReferenceOfAnotherOpenPayment() throws {
        for outcome in ["uncertain", "processing", "not_sent", "a word of a newer relay"] {
            var attempts = taken(after: false)
            #expect(attempts.next(after: try otherPayment(outcome), of: .read, canPay: true).step == .read)
            // A 404 does not prove that nothing was charged: it may come from another instance, or from one that lost its
            // journal.
            let missing = attempts.next(after: problem(404, .noSuchPayment), of: .read, canPay: true)
            #expect(missing.step == .read, "\(outcome)")
            guard case .failure(.referenceTaken(by: _?)) = attempts.atDeadline() else {
                return #expect(Bool(false), "\(attempts.atDeadline())")
            }
            guard case .failure(let error) = attempts.atDeadline() else { continue }
            #expect(error.mayHaveBeenCharged, "\(outcome)")
            let known = attempts.next(after: try otherPayment("declined"), of: .read, canPay: true)
            #expect(known.error?.mayHaveBeenCharged == false, "\(outcome)")
        }
    }

    @Test("Another amount under the reference proves nothing before the relay has said that it is taken")
    func anotherAmountAlone() throws {
        for outcome in ["captured", "declined"] {
            var attempts = PaymentAttempts(pays: true)
            #expect(attempts.next(after: try otherPayment(outcome), of: .pay, canPay: true).step == .pay)
            _ = attempts.next(after: try payment("uncertain"), of: .pay, canPay: true)
            #expect(attempts.next(after: try otherPayment(outcome), of: .read, canPay: true).step == .read)
            guard case .success(.uncertain(let own?)) = attempts.atDeadline() else {
                return #expect(Bool(false), "\(attempts.atDeadline())")
            }
            #expect(own.amount == 10_000)
        }
    }

    @Test("A payment that was there is not taken for missing by a later 404")
    func aPaymentThatWasThereIsNotMissing() throws {
        var attempts = PaymentAttempts(pays: true)
        _ = attempts.next(after: try payment("uncertain"), of: .pay, canPay: true)
        #expect(attempts.next(after: problem(404, .noSuchPayment), of: .read, canPay: true).step == .read)
        guard case .success(.uncertain(_?)) = attempts.atDeadline() else {
            return #expect(Bool(false), "\(attempts.atDeadline())")
        }
    }

    @Test("A refusal that does not follow from the bytes proves nothing about an attempt that may have arrived")
    func aRefusalThatDoesNotFollowFromTheBytes() {
        for kind in [ProblemKind.noSuchPayment, .notFound, .foreignHost, .methodNotAllowed, .bodyTooLarge] {
            var attempts = PaymentAttempts(pays: true)
            _ = attempts.next(after: .failed(.lost("")), of: .pay, canPay: true)
            #expect(attempts.next(after: problem(404, kind), of: .pay, canPay: true).step == .read)
            #expect(attempts.next(after: problem(404, .noSuchPayment), of: .read, canPay: true).error == nil, "\(kind)")
        }
    }

    @Test("The client waits twice as long each time with jitter, up to a limit, and at least as long as the relay says")
    func waits() {
        let delay = RetryDelay(first: 1, longest: 4)
        #expect(delay.seconds(after: 9, retryAfter: 7, random: 0.5) == 7)
        #expect((0...4).map { delay.seconds(after: $0, retryAfter: nil, random: 1) } == [1, 2, 4, 4, 4])
        #expect(delay.seconds(after: 1, retryAfter: nil, random: 0) == 1)
        #expect(delay.seconds(after: .max, retryAfter: nil, random: 1) == 4)
        #expect(delay.seconds(after: 1, retryAfter: 0, random: 0) == 1, "a Retry-After of 0 makes no hurry")
    }

    @Test("Reads Retry-After as a number of seconds, an hour at most, and nothing else")
    func readsRetryAfter() {
        for (text, seconds) in [
            ("2", 2), ("0", 0), ("65535", 3_600), ("70000", nil), ("-1", nil), ("1.5", nil), ("", nil),
            ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
        ] as [(String, Double?)] {
            #expect(TransportResponse(status: 503, retryAfter: text, body: []).retryAfter == seconds, "\(text)")
        }
    }
}

extension PaymentAttempts.Action {
    var step: PaymentAttempts.Step? { if case .attempt(let step, _) = self { step } else { nil } }

    var error: RelayError? { if case .finish(.failure(let error)) = self { error } else { nil } }

    var result: PaymentResult? { if case .finish(.success(let result)) = self { result } else { nil } }
}
