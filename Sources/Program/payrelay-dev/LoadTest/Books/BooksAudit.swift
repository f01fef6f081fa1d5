import PayrelayAPI

/// Compares the gateway's books with the relay's reports: no charge may be lost, and none may be made twice.
struct BooksAudit: Sendable, Equatable {
    /// The relay's last report about a payment.
    enum Reported: Sendable, Equatable {
        case outcome(PaymentOutcome)
        /// The payment was not carried out: it was refused, never sent, or is unknown to the relay.
        case nothing
        /// The relay could not be queried, or does not know the outcome yet.
        case unknown
    }

    /// A difference between the books and the reports. Each names the payment.
    enum Difference: Sendable, Equatable, Hashable {
        /// The payment was reported as charged, but the books have no charge.
        case lost(String)
        /// The payment was charged but reported differently, so the merchant does not know of the charge.
        case unreported(String, as: String)
        /// The sandbox received more than one request to charge the payment, or the books have its reference
        /// twice.
        case duplicate(String)
        /// The outcome of the payment is still unknown.
        case unresolved(String)
        /// The books have a payment that is not part of this run.
        case unexpected(String)
    }

    /// The number of payments that the relay was requested to make.
    let payments: Int
    /// The number of orders that are charged in the books.
    let charges: Int
    let differences: [Difference]

    var isEqual: Bool { differences.isEmpty }

    /// - Parameters:
    ///   - reported: the reports by reference, for every payment of the run, whether it was sent or not.
    ///   - books: all orders that reached the gateway.
    init(reported: [String: Reported], books: [BookedOrder]) {
        var differences: [Difference] = []
        var charged: Set<String> = []
        var seen: Set<String> = []
        for order in books {
            if !seen.insert(order.reference).inserted || order.chargeRequests > 1 {
                differences.append(.duplicate(order.reference))
            }
            if order.isCharged { charged.insert(order.reference) }
            if reported[order.reference] == nil { differences.append(.unexpected(order.reference)) }
        }
        for (reference, reported) in reported.sorted(by: { $0.key < $1.key }) {
            switch (reported, charged.contains(reference)) {
            case (.unknown, _): differences.append(.unresolved(reference))
            case (.outcome(let outcome), false) where outcome.isSuccess: differences.append(.lost(reference))
            case (.outcome(let outcome), true) where outcome.isSuccess: break
            case (.outcome(let outcome), true): differences.append(.unreported(reference, as: outcome.rawValue))
            case (.nothing, true): differences.append(.unreported(reference, as: "nothing"))
            case (.outcome, false), (.nothing, false): break
            }
        }
        payments = reported.count
        charges = charged.count
        self.differences = differences
    }

    /// Adds up the audits of several books.
    init(_ audits: [BooksAudit]) {
        payments = audits.reduce(0) { $0 + $1.payments }
        charges = audits.reduce(0) { $0 + $1.charges }
        differences = audits.flatMap(\.differences)
    }
}

extension BooksAudit.Difference: CustomStringConvertible {
    var description: String {
        switch self {
        case .lost(let reference): "\(reference) was reported as charged and is not in the books"
        case .unreported(let reference, let word): "\(reference) is charged in the books and was reported as \(word)"
        case .duplicate(let reference): "\(reference) arrived more than once"
        case .unresolved(let reference): "the outcome of \(reference) is unknown"
        case .unexpected(let reference): "\(reference) is in the books and not of this run"
        }
    }
}
