import FoundationEssentials
import PayrelayPrimitives

/// An external payment, which the merchant made at the gateway directly, for example with its mobile SDK. It
/// becomes known here through the gateway's answer to a query, which a hint has caused.
extension Change {
    /// Creates the change that records an external payment, as far as the answer proves it. Values that only the
    /// hint states are marked as unproven.
    ///
    /// - Returns: `nil` if the answer settles nothing, or if neither the answer nor the hint states the amount and
    ///   the currency. No operation on such a payment would be possible.
    convenience init?(
        toPaymentMadeElsewhere answer: GatewayAnswer, hint: GatewayHint, gateway: String,
        merchantIdentifier: String? = nil, on occasion: Occasion
    ) {
        guard let currency = hint.currency, currency.isCurrencyCode else { return nil }
        var unproven = ["currency"]
        guard let amount = Self.provenAmount(in: answer) ?? (answer.meaning == .declined ? hint.amount : nil),
            amount > .zero
        else { return nil }
        if Self.provenAmount(in: answer) == nil { unproven.append("amount") }
        let (command, isCommandProven) = Self.command(in: answer, of: amount, hint: hint)
        if !isCommandProven { unproven.append("command") }
        let unknown = Payment(
            merchantReference: hint.merchantReference, command: command, amount: amount, currency: currency,
            fingerprint: nil, appleTransactionIdentifier: nil, claimedAt: occasion.at, gateway: gateway,
            account: hint.account, merchantIdentifier: merchantIdentifier, state: .uncertain)
        guard answer.implausibility(for: unknown) == nil else { return nil }
        let reason = "made with the gateway, not through this service"
        guard let settled = unknown.settled(by: answer, reason: reason, on: occasion) else { return nil }
        var found = settled.after
        found.receipt = Receipt(
            of: unknown, state: found.state, answer: answer, reason: reason, unproven: unproven.sorted()
        ).encoded()
        self.init(before: nil, after: found, kind: .charge, reason: reason, on: occasion, provenBy: answer)
    }

    /// Returns the authorized amount or, if the answer has none, the captured amount; `nil` if neither is above
    /// zero.
    fileprivate static func provenAmount(in answer: GatewayAnswer) -> MinorUnits? {
        [answer.authorized, answer.captured].compactMap(\.self).first { $0 > .zero }
    }

    private static func command(
        in answer: GatewayAnswer, of amount: MinorUnits, hint: GatewayHint
    ) -> (Order.Command, isProven: Bool) {
        if let command = provenCommand(in: answer, of: amount) { return (command, true) }
        if case .charge(let command) = hint.subject { return (command, false) }
        return (hint.subject == .operation(.capture) ? .authorization : .purchase, false)
    }
}

extension Change {
    fileprivate static func provenCommand(in answer: GatewayAnswer, of amount: MinorUnits) -> Order.Command? {
        switch answer.meaning {
        case .authorized, .voided: .authorization
        // A purchase is captured whole.
        case .captured, .refunded: answer.captured.flatMap { $0 < amount ? .authorization : nil }
        case .declined, .pending, .duplicate, .notFound: nil
        }
    }
}

extension Payment {
    /// Returns the payment with the amount that the answer proves, if so far only a notification stated the amount
    /// of the declined payment. The customer may have paid another amount since.
    func asProven(by answer: GatewayAnswer) -> Payment {
        guard state == .declined, let proven = Change.provenAmount(in: answer),
            unprovenNames.contains(where: { $0 == "amount" })
        else { return self }
        var payment = self
        payment.amount = proven
        payment.command = Change.provenCommand(in: answer, of: proven) ?? command
        return payment
    }

    /// The members of an external payment that the gateway's answer does not prove; `nil` if there are none.
    var unprovenMembers: JSON? {
        guard isMadeElsewhere, let receipt else { return nil }
        return (try? JSON(parsing: receipt))?.objectValue?["unproven"]
    }

    private var unprovenNames: [String] { unprovenMembers?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// Returns the unproven members that this answer does not prove either. No answer states the currency.
    func unprovenMembers(after answer: GatewayAnswer?) -> [String] {
        guard let answer, Change.provenAmount(in: answer) == amount else { return unprovenNames }
        let isCommandProven = Change.provenCommand(in: answer, of: amount) == command
        return unprovenNames.filter { $0 != "amount" && !($0 == "command" && isCommandProven) }
    }
}
