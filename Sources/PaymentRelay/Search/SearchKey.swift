import Crypto
import PayrelayPrimitives

/// What a payment is looked up by beyond its reference: FORT's `fort_id`, Apple's transaction identifier, the card's last four
/// digits, the customer's email. A journal keeps it as two numbers in a narrow table, and nothing else of it.
///
/// They are of a SHA-256, so that the table and its copies show neither an email nor a part of a card's number. The digest has no
/// secret: who holds the journal can test whether an email that they already know is in it, until `forget` or retention erases the
/// key. A secret would have to be configured, be the same on every instance, and could never be changed without losing every key; and
/// the receipts beside it hold the email in clear until they are erased too.
public struct SearchKey: Sendable, Hashable {
    private enum Kind: Int, CaseIterable {
        // The customer's.
        case customerEmail, cardLastFour
        // The payment's.
        case fortIdentifier, appleTransactionIdentifier
        /// That it was made elsewhere.
        case madeElsewhere
    }

    /// The part of the table that has it. Within a slot keys are ordered by time: a new key lies at the end of one of a few slots, on
    /// a page that other new keys change too, however many old ones there are. In the order of the digests, each would change a page
    /// of its own, and those pages are what a checkpoint costs. To find a key, its slot is read: of a million payments, 62,000 keys.
    public var slot: Int { kind.rawValue * Self.slotsOfKind + digest % Self.slotsOfKind }
    /// 62 bits. Two emails of a billion have the same with a chance of one in five; who looks for one then sees the payments of the
    /// other too, of those that are theirs to see.
    public let digest: Int

    private let kind: Kind

    private init(_ kind: Kind, _ text: String) {
        self.kind = kind
        var content = [UInt8(kind.rawValue)]
        content += text.utf8
        let number = SHA256.hash(data: content).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        digest = Int(number >> 2)
    }

    private static let slotsOfKind = 16

    /// Of every payment that was made elsewhere (``Payment/isMadeElsewhere``), so that they are listed in the order of a page. A journal
    /// adds it to those that it records; no claim has it.
    public static let madeElsewhere = SearchKey(.madeElsewhere, "")

    /// The slots of what is the customer's: they are erased with the customer's data. What FORT and Apple call the payment stays.
    public static let customerSlots = 0..<2 * slotsOfKind

    /// FORT's identifier of a payment.
    public static func fortIdentifier(_ text: String) -> SearchKey { SearchKey(.fortIdentifier, text) }

    /// Apple's `header.transactionId`, in any case.
    public static func appleTransactionIdentifier(_ text: String) -> SearchKey {
        SearchKey(.appleTransactionIdentifier, text.lowercasedASCII)
    }

    /// - Parameter digits: the last four of a card's number.
    public static func cardLastFour(_ digits: String) -> SearchKey { SearchKey(.cardLastFour, digits) }

    /// Case and the white space around it do not count.
    public static func customerEmail(_ text: String) -> SearchKey {
        // Nearly every email is visible ASCII, and nothing has to be looked up for it.
        if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            return SearchKey(.customerEmail, text.lowercasedASCII)
        }
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return SearchKey(.customerEmail, "") }
        return SearchKey(.customerEmail, String(scalars[start...end]).lowercased())
    }
}

extension SearchKey {
    /// Whether it is the customer's.
    public var isCustomers: Bool { Self.customerSlots.contains(slot) }

    /// The length of a key in ``encoded(_:)``.
    public static let byteCount = 9

    /// The keys one after another: the kind in a byte, and the digest in eight, in big-endian order.
    public static func encoded(_ keys: [SearchKey]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount * keys.count)
        for key in keys {
            bytes.append(UInt8(key.kind.rawValue))
            withUnsafeBytes(of: UInt64(key.digest).bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// The keys of ``encoded(_:)``. What is no key is left out: rows of a journal are read with it.
    public static func read(_ bytes: [UInt8]) -> [SearchKey] {
        stride(from: 0, through: bytes.count - byteCount, by: byteCount)
            .compactMap { SearchKey(bytes[$0..<$0 + byteCount]) }
    }

    private init?(_ bytes: ArraySlice<UInt8>) {
        let number = bytes.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let kind = bytes.first.flatMap({ Kind(rawValue: Int($0)) }), number < 1 << 62 else { return nil }
        self.kind = kind
        digest = Int(number)
    }
}

extension SearchKey {
    /// The keys that a claim has.
    static func keys(of order: Order, appleTransactionIdentifier: String?) -> [SearchKey] {
        [
            order.customerEmail.map { customerEmail($0) },
            appleTransactionIdentifier.map { Self.appleTransactionIdentifier($0) },
        ].compactMap(\.self)
    }

    /// The keys that the answer to a charge has.
    ///
    /// - Parameter withEmail: where the claim did not have it already.
    static func keys(of answer: ProcessorAnswer, withEmail: Bool) -> [SearchKey] {
        keys(
            fortIdentifier: answer.summary["fort_id"], cardNumber: answer.summary["card_number"],
            email: withEmail ? answer.response["customer_email"] : nil)
    }

    /// The keys of a payment that a version without keys has journaled. An email that no receipt has is not known any more.
    public static func keys(ofJournaled receipt: [UInt8]?, appleTransactionIdentifier: String?) -> [SearchKey] {
        let receipt = receipt.flatMap { try? JSON(parsing: $0) }?.objectValue ?? [:]
        return keys(
            fortIdentifier: receipt["fort_id"], cardNumber: receipt["card_number"],
            email: receipt["processor_response"]?.objectValue?["customer_email"])
            + (appleTransactionIdentifier.map { [Self.appleTransactionIdentifier($0)] } ?? [])
    }

    /// What the processor answered is any JSON: what cannot be looked for has no key.
    private static func keys(fortIdentifier: JSON?, cardNumber: JSON?, email: JSON?) -> [SearchKey] {
        [
            fortIdentifier?.stringValue.flatMap { $0.isEmpty ? nil : Self.fortIdentifier($0) },
            cardNumber?.stringValue.flatMap { lastFour(of: $0).map { cardLastFour($0) } },
            email?.stringValue.flatMap { $0.isEmpty ? nil : customerEmail($0) },
        ].compactMap(\.self)
    }

    /// Nil where the number ends in anything else.
    private static func lastFour(of cardNumber: String) -> String? {
        let end = cardNumber.utf8.suffix(4)
        guard end.count == 4, end.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return String(decoding: end, as: UTF8.self)
    }
}
