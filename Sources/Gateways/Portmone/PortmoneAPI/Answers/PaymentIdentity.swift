public import PayrelayPrimitives

/// The payee, order, currency and amount that an entry must match to prove anything about a payment.
///
/// Portmone does not sign its answers. An entry is believed for two reasons:
/// - this service queried it over verified TLS;
/// - it names this payment: the payee, the order, the currency and, if nothing was paid, the amount.
///
/// If money was taken, the entry may state another amount. That amount is passed on, so that the relay can
/// compare it with the payment's amount.
public struct PaymentIdentity: Sendable, Equatable {
    public let payeeID: String
    public let shopOrderNumber: String
    /// The payment's currency; `nil` if only the entry can say it.
    public let currency: Currency?
    /// The payment's amount in minor units; `nil` if it is not known.
    public let amount: MinorUnits?

    public init(payeeID: String, shopOrderNumber: String, currency: Currency?, amount: MinorUnits?) {
        self.payeeID = payeeID
        self.shopOrderNumber = shopOrderNumber
        self.currency = currency
        self.amount = amount
    }

    /// The names that an answer must have. A name that is there must be right in any case.
    public enum Naming: Sendable {
        /// The rule for `result`: payee, order and bill are required. Portmone's plugin, too, requires the first
        /// two.
        case full
        /// The rule for the answer to a request that moves money: the order is required, as `shopOrderNumber` or
        /// as `billNumber`. The published answers do not name a payee, and those to `APay` name the order only as
        /// `billNumber`.
        case order
    }

    /// Returns the entry as proof about the payment.
    ///
    /// The published answers to `result` do not name a currency, and Portmone keeps bills in hryvnias. If an
    /// entry names no currency:
    /// - for a payment in hryvnias, the entry's amount is in hryvnias and is proven;
    /// - for a payment in another currency, `result` proves only the status;
    /// - for a payment in another currency, the answer to a request that moves money proves something only if its
    ///   status says that no money was taken.
    ///
    /// - Throws: ``EvidenceError`` if the entry is about something else, or does not say what it is about.
    public func proof(in entry: PortmoneEntry, naming: Naming) throws(EvidenceError) -> ProvenEntry {
        if let payee = entry[.payeeID] {
            guard payee.isExactly(payeeID) else { throw .foreign("payee_id") }
        } else if naming == .full {
            throw .incomplete("payee_id")
        }
        if let order = entry[.shopOrderNumber] {
            guard order.isExactly(shopOrderNumber) else { throw .foreign("shopOrderNumber") }
        } else if naming == .full || !(entry[.billNumber]?.isExactly(shopOrderNumber) ?? false) {
            throw .incomplete("shopOrderNumber")
        }
        let shopBillID = entry.shopBillID
        if let shopBillID {
            guard shopBillID.isBillNumber else { throw .unreadable("shopBillId") }
        } else if naming == .full {
            throw .incomplete("shopBillId")
        }
        let currency = try self.currency(of: entry)
        let status = entry.status
        if currency == nil, naming == .order, status?.hasMoney ?? true { throw .incomplete("billCurrency") }
        let stated = try Self.amount(of: entry, in: currency)
        let isNegative = stated?.isNegative ?? false
        if let status, status.hasMoney {
            guard stated != nil || currency == nil else { throw .incomplete("billAmount") }
            guard !isNegative || status == .returned else { throw .unreadable("billAmount") }
            if let failure = entry.failure { throw .contradictory("status \(status.rawValue) beside \(failure)") }
        } else if let stated, let amount {
            guard stated.magnitude == amount, !stated.isNegative else { throw .foreign("billAmount") }
        }
        return ProvenEntry(
            entry: entry, status: status, shopBillID: shopBillID, currency: currency, amount: stated?.magnitude,
            isNegative: isNegative)
    }

    /// Returns the entries of an answer to `result` as proof about the payment.
    ///
    /// An earlier attempt may have used the same order number with another amount or currency. If nothing was
    /// paid in that attempt (CREATED, REJECTED), its bill is not the payment's and is left out. The payment's
    /// bill, if it has no money, counts whatever amount and currency it names, because Portmone keeps bills in
    /// hryvnias.
    ///
    /// - Parameter number: the number of the payment's bill; `nil` if it is not known.
    /// - Throws: ``EvidenceError`` if another entry is about something else, or does not say what it is about.
    public func proofs(in entries: [PortmoneEntry], own number: String? = nil) throws(EvidenceError) -> [ProvenEntry] {
        let anyAmount = PaymentIdentity(
            payeeID: payeeID, shopOrderNumber: shopOrderNumber, currency: nil, amount: nil)
        var proven: [ProvenEntry] = []
        for entry in entries {
            do throws(EvidenceError) {
                proven.append(try proof(in: entry, naming: .full))
            } catch {
                // `proof` compares payee, order and bill number before currency and amount, so this entry is
                // about this order.
                guard [.foreign("billAmount"), .foreign("billCurrency")].contains(error), let status = entry.status,
                    !status.hasMoney
                else { throw error }
                if number != nil, entry.shopBillID == number {
                    proven.append(try anyAmount.proof(in: entry, naming: .full))
                }
            }
        }
        return proven
    }

    private func currency(of entry: PortmoneEntry) throws(EvidenceError) -> Currency? {
        guard let code = entry[.billCurrency] else { return currency == .UAH ? currency : nil }
        guard let named = Currency(code: code) else { throw .unreadable("billCurrency") }
        guard currency == nil || named == currency else { throw .foreign("billCurrency") }
        return named
    }

    private static func amount(
        of entry: PortmoneEntry, in currency: Currency?
    ) throws(EvidenceError) -> (magnitude: MinorUnits, isNegative: Bool)? {
        guard let currency, let text = entry[.billAmount] else { return nil }
        if let amount = DecimalAmount.read(text, in: currency) { return (amount, false) }
        if let amount = DecimalAmount.readNegative(text, in: currency) { return (amount, true) }
        throw .unreadable("billAmount")
    }
}

/// An entry that was proven to be about the payment.
public struct ProvenEntry: Sendable, Equatable {
    public let entry: PortmoneEntry
    /// The bill's status; `nil` if the status is absent or unknown.
    public let status: PortmoneStatus?
    public let shopBillID: String?
    /// The bill's currency; `nil` if the entry does not name it and the payment is not in hryvnias.
    public let currency: Currency?
    /// The absolute value of `billAmount` in minor units; `nil` if `billAmount` is absent or its currency is not
    /// known. If the status has money and the currency is known, the amount is never `nil`.
    public let amount: MinorUnits?
    /// Whether the amount is negative: it is money that was given back.
    public let isNegative: Bool
}

/// The reason why an entry proves nothing about a payment.
public enum EvidenceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The named member is not the payment's: the entry is about another payment.
    case foreign(String)
    /// The named member is missing.
    case incomplete(String)
    /// The named member is not written as Portmone writes it. An amount must be an exact decimal of the currency.
    case unreadable(String)
    case contradictory(String)

    public var description: String {
        switch self {
        case .foreign(let name): "its \(name) is not the payment's"
        case .incomplete(let name): "it has no \(name)"
        case .unreadable(let name): "its \(name) cannot be read"
        case .contradictory(let what): "it contradicts itself: \(what)"
        }
    }
}

extension String {
    /// Whether the text can be Portmone's number of a bill. Every published number consists of digits; letters
    /// and `-` are accepted, too.
    var isBillNumber: Bool {
        (1...40).contains(utf8.count)
            && utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || $0 == UInt8(ascii: "-") }
    }
}
