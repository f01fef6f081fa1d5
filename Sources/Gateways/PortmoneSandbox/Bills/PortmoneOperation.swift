import FoundationEssentials
import PayrelayPrimitives

/// Operation on a bill after its charge.
struct PortmoneOperation: Equatable {
    enum Kind: Equatable {
        case confirmPreauth
        case rejectPreauth
        case `return`
        case closeInvoice

        /// The status that a bill must have.
        var status: PortmoneBill.Status {
            switch self {
            case .confirmPreauth, .rejectPreauth: .preauth
            case .return: .payed
            case .closeInvoice: .created
            }
        }

        var verb: PortmoneOutcome.Verb {
            switch self {
            case .confirmPreauth: .capture
            case .rejectPreauth, .closeInvoice: .void
            case .return: .refund
            }
        }
    }

    let kind: Kind
    let payeeId: String
    /// One of the two at least.
    let shopOrderNumber: String?
    let shopBillId: String?
    /// As it was sent; nil where the operation has none.
    let amount: String?

    /// The member of the request that has the amount.
    static func amountName(of kind: Kind) -> String? {
        switch kind {
        case .confirmPreauth: "postauthAmount"
        case .return: "returnAmount"
        case .rejectPreauth, .closeInvoice: nil
        }
    }

    /// - Parameter currency: of the bill.
    func minorUnits(in currency: Currency) throws(GatewayError) -> Int? {
        guard let name = Self.amountName(of: kind) else { return nil }
        guard let amount, let value = DecimalAmount.read(amount, exponent: currency.exponent) else {
            throw .notAnExactDecimal(name)
        }
        return value.value
    }

    /// - Parameter bill: the one that it is about.
    func outcome(for bill: PortmoneBill) -> PortmoneOutcome {
        let amount = try? minorUnits(in: bill.currency)
        return PortmoneOutcome(of: kind.verb, amount: amount, shopOrderNumber: bill.shopOrderNumber)
    }
}

extension PortmoneBill {
    /// Carries an operation out, or says why not.
    ///
    /// - Parameter returnNumber: how many returns there were before, of all bills.
    mutating func carryOut(
        _ operation: PortmoneOperation, at moment: Date, returnNumber: Int
    ) throws(GatewayError) {
        let amount = try operation.minorUnits(in: currency) ?? 0
        guard status == operation.kind.status else {
            switch operation.kind {
            case .return: throw .notPaid
            case .rejectPreauth where status == .rejected: throw .notFound
            case .confirmPreauth, .rejectPreauth, .closeInvoice: throw .wrongStatus
            }
        }
        if operation.kind == .confirmPreauth, amount > self.amount { throw .moreThanHeld }
        if operation.kind == .return, amount > paid - returned { throw .moreThanPaid }
        if let failure = operation.outcome(for: self).failure { throw failure }
        switch operation.kind {
        case .confirmPreauth:
            status = .payed
            paid = amount
            captures += 1
        case .rejectPreauth, .closeInvoice: status = .rejected
        case .return:
            returns.append(
                Return(shopBillId: String(Self.firstReturnIdentifier + returnNumber), amount: amount, date: moment))
        }
    }

    /// Apart from the names of bills.
    private static var firstReturnIdentifier: Int { 850_000_000 }
}
