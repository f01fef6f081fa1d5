import Crypto
import FoundationEssentials
import PayrelayPrimitives

/// A cursor as clients get it: opaque, and good for the query that it came from alone.
///
/// It grants nothing, since a query says for itself what it may see; the digest keeps a cursor of another query, or one that was
/// changed on its way, from being answered with a page that makes no sense.
extension PaymentQuery {
    /// The text of a cursor of this query.
    public func text(of cursor: PaymentCursor) -> String {
        let body = Self.body(of: cursor)
        return Base64URL.encode(digest(of: body) + body)
    }

    /// Nil where the text is no cursor of this query.
    public func cursor(_ text: String) -> PaymentCursor? {
        guard text.utf8.count <= Self.textLimit, let bytes = Base64URL.decode(text),
            bytes.count > Self.digestLength + Self.momentLength
        else { return nil }
        let body = Array(bytes[Self.digestLength...])
        guard digest(of: body).elementsEqual(bytes[..<Self.digestLength]) else { return nil }
        let milliseconds = body[..<Self.momentLength].reduce(0) { $0 << 8 | Int($1) }
        guard let moment = EpochMilliseconds(milliseconds: milliseconds),
            // Anybody can make a digest. No reference has a control character, and PostgreSQL takes no NUL.
            let reference = String(validating: body[Self.momentLength...], as: UTF8.self),
            reference.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return PaymentCursor(at: moment.date, merchantReference: reference)
    }

    /// In bytes. 48 bits of milliseconds reach beyond the year 9999.
    private static let (digestLength, momentLength) = (8, 6)
    private static let textLimit = 512

    private static func body(of cursor: PaymentCursor) -> [UInt8] {
        let milliseconds = EpochMilliseconds(cursor.at).milliseconds
        let moment = (0..<momentLength).map { UInt8(truncatingIfNeeded: milliseconds >> (8 * (momentLength - 1 - $0))) }
        return moment + cursor.merchantReference.utf8
    }

    /// Over what is asked, and not how many at once. What is overdue moves on with the clock and is left out.
    private func digest(of body: [UInt8]) -> [UInt8] {
        let filters: [String?] =
            [
                merchantReference, merchantReferencePrefix, amounts.map { "\($0.lowerBound) \($0.upperBound)" },
                currency,
                outcome?.rawValue, command?.rawValue, account, client,
                claimedFrom.map { "\(EpochMilliseconds($0).milliseconds)" },
                claimedTo.map { "\(EpochMilliseconds($0).milliseconds)" }, "\(needsAttention)",
                visibleTo == .everything ? nil : "\(visibleTo)",
            ] + keys.map { "\($0.slot) \($0.digest)" }
        var content = body
        for filter in filters {
            // With its length before it, no text can pass for the end of one filter and the start of the next.
            content += (filter.map { "\($0.utf8.count):\($0)" } ?? "-").utf8
        }
        return Array(SHA256.hash(data: content).prefix(Self.digestLength))
    }
}
