public import PayrelayAPI

/// Compares the gateway's books with what the relay reported: no charge lost, none made twice.
public struct BooksAudit: Sendable, Equatable {
    /// The relay's last report of a payment.
    public enum Reported: Sendable, Equatable {
        case outcome(PaymentOutcome)
        /// The payment was not carried out: refused, never sent, or unknown to the relay.
        case nothing
        /// The relay could not be asked, or does not know yet.
        case unknown
    }

    /// A difference between books and reports. Each names the payment.
    public enum Difference: Sendable, Equatable, Hashable {
        /// Reported as charged, and the books know of no charge.
        case lost(String)
        /// Charged, and not reported so: the merchant does not know of it.
        case unreported(String, as: String)
        /// More than one request to charge arrived, or the books have the reference twice.
        case duplicate(String)
        /// Its outcome is still unknown.
        case unresolved(String)
        /// In the books, and not of this run.
        case unexpected(String)
    }

    /// How many payments the relay was asked to make.
    public let payments: Int
    /// How many orders stand as charged in the books.
    public let charges: Int
    public let differences: [Difference]

    public var isEqual: Bool { differences.isEmpty }

    /// - Parameters:
    ///   - reported: by reference, every payment of the run, sent or not.
    ///   - books: everything that reached the gateway.
    public init(reported: [String: Reported], books: [BookedOrder]) {
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
    public var description: String {
        switch self {
        case .lost(let reference): "\(reference) was reported as charged and is not in the books"
        case .unreported(let reference, let word): "\(reference) is charged in the books and was reported as \(word)"
        case .duplicate(let reference): "\(reference) arrived more than once"
        case .unresolved(let reference): "the outcome of \(reference) is unknown"
        case .unexpected(let reference): "\(reference) is in the books and not of this run"
        }
    }
}
