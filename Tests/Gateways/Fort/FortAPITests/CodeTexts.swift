@testable import FortAPI

extension FortCode {
    /// The texts of FORT's statuses and messages, by their digits.
    static let statuses = FortCodeEntry.byStatus.mapValues { $0.texts[0] }
    static let messages = FortCodeEntry.byMessage.mapValues { $0.texts[0] }
}
