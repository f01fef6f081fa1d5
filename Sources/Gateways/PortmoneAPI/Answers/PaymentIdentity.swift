public import PayrelayPrimitives

/// Payee, order, currency and amount that an entry must match to prove anything of a payment.
///
/// Portmone signs nothing. An entry is believed because we asked for it over verified TLS, and because what it names is this payment:
/// the payee, the order, the currency, and the amount where nothing was paid. Where money was taken, the amount that the entry states
/// is given on, for the relay to compare with the payment's.
public struct PaymentIdentity: Sendable, Equatable {
    public let payeeID: String
    public let shopOrderNumber: String
    /// Nil where only the entry can say it.
    public let currency: Currency?
    /// Nil where it is not known.
    public let amount: MinorUnits?

    public init(payeeID: String, shopOrderNumber: String, currency: Currency?, amount: MinorUnits?) {
        self.payeeID = payeeID
        self.shopOrderNumber = shopOrderNumber
        self.currency = currency
        self.amount = amount
    }

    /// Which names an answer must have. What it has must be right in any case.
    public enum Naming: Sendable {
        /// Of `result`: payee, order and bill. Portmone's own plugin believes no answer without the first two.
        case full
        /// Of the answer to a request that moves money: the order, as `shopOrderNumber` or `billNumber`. The published answers name no
        /// payee, and those to `APay` no order but by `billNumber`.
        case order
    }

    /// Returns the entry as proof about the payment.
    ///
    /// The published answers to `result` name no currency, and Portmone keeps bills in hryvnias. So where a currency is absent, a payment
    /// in hryvnias has its amount proven, and one in another currency has not. Of that one `result` proves the status alone, and an answer
    /// to a request that money was not taken.
    ///
    /// - Throws: ``EvidenceError`` where it is about something else, or does not say what it is about.
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
    /// An order's number may have been tried before with another amount, or in another currency. If nothing was paid in that attempt
    /// (CREATED, REJECTED), its bill is not the payment's and is left out. The payment's own bill counts without money whatever amount and
    /// currency it names: Portmone keeps bills in hryvnias.
    ///
    /// - Parameter number: the number of the payment's own bill; `nil` if it is not known.
    /// - Throws: ``EvidenceError`` if another entry is about something else, or does not say what it is about.
    public func proofs(in entries: [PortmoneEntry], own number: String? = nil) throws(EvidenceError) -> [ProvenEntry] {
        let anyAmount = PaymentIdentity(
            payeeID: payeeID, shopOrderNumber: shopOrderNumber, currency: nil, amount: nil)
        var proven: [ProvenEntry] = []
        for entry in entries {
            do throws(EvidenceError) {
                proven.append(try proof(in: entry, naming: .full))
            } catch {
                // Payee, order and number are compared before currency and amount, so these are this order's.
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

/// An entry that is about the payment.
public struct ProvenEntry: Sendable, Equatable {
    public let entry: PortmoneEntry
    /// Nil where it is none that is known.
    public let status: PortmoneStatus?
    public let shopBillID: String?
    /// Nil where none is named, and the payment is not in hryvnias.
    public let currency: Currency?
    /// Absolute value of `billAmount`, in minor units; nil if absent, or without a currency. Otherwise never nil if the status has money.
    public let amount: MinorUnits?
    /// Whether it is money that was given back.
    public let isNegative: Bool
}

/// Why an entry proves nothing of a payment.
public enum EvidenceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It is about another payment: this is not the payment's.
    case foreign(String)
    /// It does not say this.
    case incomplete(String)
    /// This is not written as Portmone writes it; of an amount, not an exact decimal of the currency.
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
    /// Whether it can be Portmone's number of a bill: digits in everything published; letters and `-` are let pass.
    var isBillNumber: Bool {
        (1...40).contains(utf8.count)
            && utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || $0 == UInt8(ascii: "-") }
    }
}
