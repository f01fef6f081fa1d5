public import FoundationEssentials
import PayrelayPrimitives

/// A calendar month, in UTC. What payments leave to the archive is in one file for each month in which they were claimed.
public struct ArchiveMonth: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `2026-08`.
    public let description: String

    public init(of moment: Date) {
        description = String(decoding: CalendarDay(moment).text.utf8.prefix(7), as: UTF8.self)
    }

    public static func < (one: ArchiveMonth, other: ArchiveMonth) -> Bool { one.description < other.description }
}

/// How long a payment stays whole at least.
public enum ArchiveAge {
    /// In days since its last change. Cards are disputed, and refunded, within 120 days as a rule, and within 540 at the most.
    public static let days = 120...3_650
}

extension PaymentState {
    /// Whether a payment in it can be archived: nothing of it is open or held, and its reference stays its own.
    public var canBeArchived: Bool {
        switch self {
        case .captured, .partiallyRefunded, .refunded, .voided, .declined, .notProcessed: true
        // What was not sent may be claimed again.
        case .processing, .uncertain, .authorized, .partiallyCaptured, .notSent: false
        }
    }
}

extension Payment {
    /// The month in whose file its history, answers and operations are; nil where the journal has them.
    public var archiveMonth: ArchiveMonth? { archivedVersion.map { _ in ArchiveMonth(of: claimedAt) } }

    /// The answer to a replay once the first one is in the archive: what the journal still knows.
    var answerOfArchived: [UInt8]? {
        archiveMonth.map { month in
            Receipt(
                of: self, state: state, answer: nil, reason: "archived in \(month): the first answer is in that file"
            )
            .encoded()
        }
    }

    /// The whole payment: what the archive has of it, and what became of it since.
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
