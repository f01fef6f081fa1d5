public import FoundationEssentials
import PayrelayPrimitives

/// A calendar month, in UTC. The archive has one file for each month in which payments were claimed.
public struct ArchiveMonth: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `2026-08`.
    public let description: String

    public init(of moment: Date) {
        description = String(decoding: CalendarDay(moment).text.utf8.prefix(7), as: UTF8.self)
    }

    public static func < (one: ArchiveMonth, other: ArchiveMonth) -> Bool { one.description < other.description }
}

/// How long a payment stays complete in the journal, at least.
public enum ArchiveAge {
    /// Days since the payment's last change. As a rule, cards are disputed and refunded within 120 days, and within
    /// 540 at most.
    public static let days = 120...3_650
}

extension PaymentState {
    /// Whether a payment in this state can be archived: nothing of the payment is open or held, and its reference
    /// cannot be claimed again.
    public var canBeArchived: Bool {
        switch self {
        case .captured, .partiallyRefunded, .refunded, .voided, .declined, .notProcessed: true
        // A payment that was not sent may be claimed again.
        case .processing, .uncertain, .authorized, .partiallyCaptured, .notSent: false
        }
    }
}

extension Payment {
    /// The month whose archive file has the payment's history, answers and operations; `nil` if the journal has
    /// them.
    public var archiveMonth: ArchiveMonth? { archivedVersion.map { _ in ArchiveMonth(of: claimedAt) } }

    /// The answer to a replay if the first answer is in the archive. It has the data that the journal still keeps.
    var answerOfArchived: [UInt8]? {
        archiveMonth.map { month in
            Receipt(
                of: self, state: state, answer: nil, reason: "archived in \(month): the first answer is in that file"
            )
            .encoded()
        }
    }

    /// Returns the complete payment: the data in the archive, with the changes since then.
    public func completed(by archived: Payment) -> Payment {
        var payment = archived
        payment.state = state
        payment.balance = balance
        payment.version = version
        payment.holdsCustomerData = holdsCustomerData
        payment.gatewayReference = gatewayReference
        payment.taken = taken
        payment.archivedVersion = archivedVersion
        if let receipt {
            payment.receipt = receipt
            payment.summary = summary
        }
        return payment
    }
}
