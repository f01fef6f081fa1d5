import Crypto
import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives

/// A column of the table `payment` that changes write.
struct PaymentColumn: Sendable {
    let name: String
    /// Returns the value that a change writes into the column.
    let value: @Sendable (Change) -> Value
    /// Whether the column differs between a payment and the same payment later. `nil` if only claims and external
    /// payments write the column, which never changes after that.
    let isChanged: (@Sendable (_ before: Payment, _ after: Payment) -> Bool)?
    /// Whether the column is also read into a payment. The other columns serve search and the token.
    var isRead = true

    /// The columns in the order in which they are written, except the reference and the version.
    static let all =
        [
            fixed("currency") { .text($0.currency) },
            fixed("fingerprint") { .bytes($0.fingerprint?.bytes) },
            fixed("apple_transaction_identifier") { .text($0.appleTransactionIdentifier) },
            fixed("claimed_at") { .moment($0.claimedAt) },
            fixed("gateway") { .text($0.gateway) },
            fixed("account") { .text($0.account) },
            fixed("merchant_identifier") { .text($0.merchantIdentifier) },
            fixed("client") { .text($0.client) },
            tokenDigest,
            column("state", \.state) { .text($0.rawValue) },
            column("command", \.command) { .text($0.rawValue) },
            column("amount", \.amount) { .integer($0.value) },
            column("captured", \.balance.captured) { .integer($0.value) },
            column("refunded", \.balance.refunded) { .integer($0.value) },
            column("gateway_reference", \.gatewayReference) { .text($0) },
            column("is_reference_of_charge", \.isReferenceOfCharge) { .truth($0) },
            column("card_last_four", \.cardLastFour) { .text($0) },
            column("email_digest", \.emailDigest) { .bytes($0?.bytes) },
            column("customer", \.customer) { .bytes(stored($0.json)) },
            column("displayed_card_last_four", \.customer, isRead: false) { .text($0.cardLastFour) },
            column("phone_digest", \.customer, isRead: false) { .bytes($0.phoneDigest?.bytes) },
            column("name_digest", \.customer, isRead: false) { .bytes($0.nameDigest?.bytes) },
            column("holds_customer_data", \.holdsCustomerData) { .truth($0) },
            column("operations", \.operations) { .bytes(PaymentOperation.encoded($0)) },
            column("taken_by", \.taken) { .text($0?.operatorName) },
            column("taken_at", \.taken) { .moment($0?.at) },
        ]

    /// R13: while the column has a value, the token pays only this order.
    private static let tokenDigest = PaymentColumn(
        name: "token_digest", value: { .bytes($0.claimed?.token.map { Array($0) }) },
        isChanged: { $1.state.freesTokenAndKey && !$0.state.freesTokenAndKey }, isRead: false)

    private static func fixed(_ name: String, _ value: @escaping @Sendable (Payment) -> Value) -> PaymentColumn {
        PaymentColumn(name: name, value: { value($0.after) }, isChanged: nil)
    }

    private static func column<Field: Equatable & SendableMetatype>(
        _ name: String, _ field: @escaping @Sendable (Payment) -> Field, isRead: Bool = true,
        _ value: @escaping @Sendable (Field) -> Value
    ) -> PaymentColumn {
        PaymentColumn(
            name: name, value: { value(field($0.after)) }, isChanged: { field($0) != field($1) }, isRead: isRead)
    }

    /// Returns an object as JSON; `nil` if it is empty.
    static func stored(_ object: JSONObject) -> [UInt8]? {
        object.isEmpty ? nil : JSON.object(object).encoded()
    }
}

/// A set of columns of ``PaymentColumn/all``, as a bit mask.
struct PaymentColumns: Hashable, Sendable {
    private(set) var mask: UInt64 = 0

    /// Every column.
    static let all = PaymentColumns { _ in true }

    init(_ isContained: (PaymentColumn) -> Bool) {
        for (place, column) in PaymentColumn.all.enumerated() where isContained(column) { mask |= 1 << place }
    }

    /// Creates the set of columns that a change of a known payment has to write. Others are not set, because SQLite
    /// rewrites every index that has a column which is set.
    init(changedFrom before: Payment, to after: Payment) {
        self.init { $0.isChanged?(before, after) ?? false }
    }

    var columns: [PaymentColumn] {
        PaymentColumn.all.enumerated().filter { mask & 1 << $0.offset != 0 }.map(\.element)
    }
}
