import JournalContract

@testable import PaymentRelay

/// A comparison of FORT's books, the journal, and the answers to clients, when every event of the simulation has happened.
struct Audit {
    let books: SimulatedFort.Books
    let disk: MemoryJournal
    /// The events that the merchant's backend acknowledged, in that order.
    let acknowledgedEvents: [MerchantEvent]
    let receivedAnswers: [ReceivedAnswer]
    let receivedOperationAnswers: [ReceivedOperationAnswer]
    /// The references of all requests.
    let references: [String]

    /// Returns a text for each disagreement.
    func findings() async -> [String] {
        var findings = tokensChargedTwice() + refusedAndCharged()
        for reference in references {
            let payment = await disk.payment(reference)
            findings += booksAgainst(payment, await disk.history(of: reference), of: reference)
            findings += eventFindings(payment, await disk.history(of: reference), reference)
            findings += course(of: payment, await disk.history(of: reference), reference)
        }
        return findings + (await operationFindings())
    }

    /// Compares FORT's books with the journal, in both directions.
    private func booksAgainst(_ payment: Payment?, _ history: [HistoryEntry], of reference: String) -> [String] {
        var findings: [String] = []
        let sendings = books.sendings[reference]?.count ?? 0
        if sendings > 1 { findings.append("\(reference) reached FORT by \(sendings) sendings") }

        let journaled = payment.map { "\($0.state.rawValue)" } ?? "nothing"
        guard let entry = books.entries[reference] else {
            if let payment, payment.state != .notSent, payment.state != .notProcessed {
                findings.append("\(reference) is \(journaled) in the journal, and FORT has nothing")
            }
            return findings
        }
        let expected: PaymentState =
            switch entry.standing {
            case .charged:
                entry.isVoided ? .voided : entry.balanceThatStands.state(of: entry.request.order.amount)
            case .declined: .declined
            case .onHold: .uncertain
            }
        if payment?.isMadeElsewhere == true, !entry.wasMadeElsewhere {
            findings.append("\(reference) was charged through the relay, and was made elsewhere by the journal")
        }
        if let second = entry.secondCharge, !history.contains(where: { $0.reason?.contains(second) ?? false }) {
            findings.append("\(reference) was charged twice, and nobody was told")
        }
        if entry.takenBack != nil, !history.contains(where: { $0.kind == .contradiction(.takenBack) }) {
            findings.append("\(reference) was taken back, and nobody was told")
        }
        if payment?.state != expected {
            findings.append("\(reference) is \(expected.rawValue) at FORT, and the journal says \(journaled)")
        }
        if let payment, payment.amount != entry.request.order.amount {
            findings.append("\(reference) was charged with another amount than journaled")
        }
        return findings
    }

    private func tokensChargedTwice() -> [String] {
        Dictionary(grouping: books.entries.values.filter { $0.request.token != nil }, by: \.request.token).values
            .map { $0.map(\.request.order.merchantReference).sorted() }
            .filter { $0.count > 1 }
            .map { "one token pays \($0.joined(separator: " and "))" }
            .sorted()
    }

    /// Finds refused requests that reached FORT, although a refusal says that the request charged nothing.
    private func refusedAndCharged() -> [String] {
        receivedAnswers.compactMap { received in
            guard let refusal = received.refusal, books.attempts.contains(received.attempt) else { return nil }
            return "\(received.attempt) received \(refusal), and reached FORT"
        }
    }

    /// Checks that a payment's history, and the answers that callers received on the way, lead to its present state.
    private func course(of payment: Payment?, _ history: [HistoryEntry], _ reference: String) -> [String] {
        var findings: [String] = []
        if history.last?.state != payment?.state { findings.append("\(reference) is not what its history ends with") }
        // A payment of another account may have had the reference before a customer claimed it.
        let own = history.drop { $0.state != .processing }
        for (index, entry) in zip(own.indices, own) {
            let before = index == own.startIndex ? nil : history[index - 1].state
            if !entry.state.mayFollow(before) {
                findings.append("\(reference) went from \(before?.rawValue ?? "nothing") to \(entry.state.rawValue)")
            }
        }
        let received = receivedAnswers.filter { $0.reference == reference }
        // The history counts attempts that were not sent and keeps only the newest of them, so they are left out of the
        // comparison.
        if !received.allSatisfy({ history.ofWhatWasSent.starts(with: ($0.history ?? []).ofWhatWasSent) }) {
            findings.append("the history of \(reference) was rewritten after it had been read")
        }
        return findings + received.flatMap { answers($0, against: payment) } + relapses(received)
    }

    /// Checks that a final answer stays the answer, byte for byte, and that an open one becomes final.
    private func answers(_ received: ReceivedAnswer, against payment: Payment?) -> [String] {
        guard case .success(let answered) = received.answer else { return [] }
        if answered.state.isSettled, answered.asCharged != payment?.asCharged, !isCorrected(answered, to: payment) {
            return [
                "\(received.attempt) received \(answered.state.rawValue), in other words than the journal's"
            ]
        }
        if answered.state == .uncertain, payment.map({ !$0.state.isSettled }) ?? true {
            return ["\(received.attempt) received uncertain, and the payment is not settled"]
        }
        return []
    }

    /// R3: the same request after a final answer gets the same answer, unless the journal cannot be read.
    private func relapses(_ received: [ReceivedAnswer]) -> [String] {
        guard let first = received.first(where: { $0.settled != nil }), let settled = first.settled else { return [] }
        return received.filter { $0.asked > first.at }.compactMap { later in
            switch later.answer {
            case .success(let payment) where payment.asCharged == settled.asCharged: nil
            case .success(let payment) where isCorrected(settled, to: payment): nil
            case .failure(.journalUnavailable): nil
            // An order whose external payment was declined can be paid through the relay.
            case .failure(.referenceTaken) where later.fingerprint != settled.fingerprint: nil
            default: "\(later.attempt) did not receive that \(later.reference) is \(settled.state.rawValue)"
            }
        }
    }
}

extension Audit {
    /// Whether FORT was paid after all: by a second attempt, or by an external payment.
    fileprivate func isCorrected(_ answered: Payment, to payment: Payment?) -> Bool {
        guard !answered.state.hasMoney, let payment, let entry = books.entries[payment.merchantReference] else {
            return false
        }
        return (payment.state.hasMoney || payment.state == .voided) && (entry.isSecondTry || entry.wasMadeElsewhere)
    }
}

extension [HistoryEntry] {
    /// The entries without attempts that were not sent, and without an attempt that is under way.
    fileprivate var ofWhatWasSent: [HistoryEntry] {
        indices.filter { place in
            let next = index(after: place) < endIndex ? self[index(after: place)] : nil
            return !self[place].endsUnsent && !(self[place].beginsAttempt && (next?.endsUnsent ?? true))
        }.map { self[$0] }
    }
}

extension PaymentState {
    /// Whether a payment may go from `state` to this state. `nil` is the state before the payment was claimed.
    fileprivate func mayFollow(_ state: PaymentState?) -> Bool {
        switch state {
        case nil: self == .processing
        // It was paid externally, or by another attempt.
        case .notSent: self == state || self == .processing || hasMoney
        case .declined, .notProcessed: self == state || hasMoney
        case .processing: [.notSent, .uncertain, .authorized, .captured, .declined].contains(self)
        // External captures and refunds may show with the first answer.
        case .uncertain: self == state || isSettled
        case .authorized: [.authorized, .partiallyCaptured, .captured, .voided].contains(self) || isRefunded
        case .partiallyCaptured: [.partiallyCaptured, .captured].contains(self) || isRefunded
        case .captured: self == .captured || isRefunded
        case .partiallyRefunded, .refunded: isRefunded
        case .voided: self == state
        }
    }

    private var isRefunded: Bool { self == .partiallyRefunded || self == .refunded }
}

extension Payment {
    /// The payment at the time of the answer to its charge, without the lease and later operations.
    fileprivate var asCharged: Payment {
        var payment = self
        payment.version = 1
        payment.lease = Lease(number: 0, expiresAt: claimedAt)
        payment.state = .processing
        payment.balance = Balance()
        payment.operations = []
        return payment
    }
}
