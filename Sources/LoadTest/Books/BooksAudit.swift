/// Holds the processor's books against what the relay told: nothing lost, nothing twice.
public struct BooksAudit: Sendable, Equatable {
    /// What the relay last told of a payment.
    public enum Told: Sendable, Equatable {
        /// An outcome by its name, for example `captured`.
        case outcome(String)
        /// That it was not carried out: refused, never sent, or unknown to the relay.
        case nothing
        /// Nobody could be asked, or nobody knows yet.
        case unknown
    }

    /// What does not fit. Each names the payment.
    public enum Finding: Sendable, Equatable, Hashable {
        /// Told as charged, and the books know of no charge.
        case lost(String)
        /// Charged, and not told so: the merchant does not know.
        case untold(String, told: String)
        /// More than one request to charge arrived, or the reference stands there twice.
        case twice(String)
        /// Nobody knows what became of it.
        case open(String)
        /// In the books, and not of this run.
        case foreign(String)
    }

    /// How many payments the relay was asked to make.
    public let payments: Int
    /// How many orders stand as charged in the books.
    public let charges: Int
    public let findings: [Finding]

    public var isEven: Bool { findings.isEmpty }

    /// - Parameters:
    ///   - told: by reference, everything that was sent or ought to have been.
    ///   - books: everything that reached the processor.
    public init(told: [String: Told], books: [BookedOrder]) {
        var findings: [Finding] = []
        var charged: Set<String> = []
        var seen: Set<String> = []
        for order in books {
            if !seen.insert(order.reference).inserted || order.chargeRequests > 1 {
                findings.append(.twice(order.reference))
            }
            if order.isCharged { charged.insert(order.reference) }
            if told[order.reference] == nil { findings.append(.foreign(order.reference)) }
        }
        for (reference, told) in told.sorted(by: { $0.key < $1.key }) {
            switch (told, charged.contains(reference)) {
            case (.unknown, _): findings.append(.open(reference))
            case (.outcome("captured"), false), (.outcome("authorized"), false): findings.append(.lost(reference))
            case (.outcome("captured"), true), (.outcome("authorized"), true): break
            case (.outcome(let name), true): findings.append(.untold(reference, told: name))
            case (.nothing, true): findings.append(.untold(reference, told: "nothing"))
            case (.outcome, false), (.nothing, false): break
            }
        }
        payments = told.count
        charges = charged.count
        self.findings = findings
    }
}

extension BooksAudit.Finding: CustomStringConvertible {
    public var description: String {
        switch self {
        case .lost(let reference): "\(reference) was told as charged and is not in the books"
        case .untold(let reference, let told): "\(reference) is charged in the books and was told as \(told)"
        case .twice(let reference): "\(reference) came more than once"
        case .open(let reference): "nobody knows what became of \(reference)"
        case .foreign(let reference): "\(reference) is in the books and not of this run"
        }
    }
}
