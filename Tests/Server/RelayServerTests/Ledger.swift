import ApplePayToken
import HTTPListener
import HTTPTypes
import Hummingbird
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import Synchronization

import enum PayrelayAPI.ProblemKind

/// A ledger in memory that acts as a gateway. It declines amounts that end in 1. It books amounts that end in 2 without
/// answering.
final class Ledger: Gateway {
    private struct Entry {
        let command: Order.Command
        let amount: MinorUnits
        var balance = Balance()
    }

    private let entries = Mutex<[String: Entry]>([:])

    let name = "ledger"
    let title = "The ledger"
    let longestExchange = Duration.seconds(30)
    let accounts = [
        GatewayAccount(
            name: "books", merchantIdentifier: "L1", currencies: Set([Currency(code: "OMR")].compactMap(\.self)))
    ]
    let orderFields = ["command", "merchant_reference", "amount", "currency"].map { OrderField($0) }
    let answerFields = AnswerFields(
        [AnswerField("ledger_entry", for: .phone, isListed: true, title: "Entry")], reference: "ledger_entry")

    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        try ValidationErrors.throwIfAny(errors(in: fields))
        let fields = fields.merging(["currency": "OMR"]) { given, _ in given }
        guard let order = Order(fields, account: account) else {
            throw ValidationErrors([ValidationError(field: "amount", detail: "cannot be read")])
        }
        return Charge(gateway: name, order: order, token: token, ledger: self)
    }

    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        throw ValidationErrors([
            ValidationError(field: "token_name", detail: "is of no use: the ledger stores no cards")
        ])
    }

    private func errors(in fields: [String: String]) -> [ValidationError] {
        var errors: [ValidationError] = []
        if Order.Command(rawValue: fields["command"] ?? "") == nil {
            errors.append(ValidationError(field: "command", detail: "must be PURCHASE or AUTHORIZATION"))
        }
        if fields["merchant_reference"]?.isEmpty != false {
            errors.append(ValidationError(field: "merchant_reference", detail: "is missing"))
        }
        if fields["amount"].flatMap({ MinorUnits(parsing: $0) }).map({ $0 > .zero }) != true {
            errors.append(ValidationError(field: "amount", detail: "must be a positive number of minor units"))
        }
        return errors
    }

    func validationErrors(in fields: [String: String]) -> [ValidationError] { errors(in: fields) }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] {
        operation.command == .voidAuthorization
            ? [ValidationError(field: "command", detail: "must not be VOID_AUTHORIZATION: the ledger lifts no hold")]
            : []
    }

    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        let isKnown = entries.withLock { $0[merchantReference] } != nil
        return .answered(answer(isKnown ? .captured : .notFound, merchantReference))
    }

    fileprivate func book(_ order: Order) -> Outcome<GatewayAnswer> {
        if "\(order.amount)".hasSuffix("1") { return .answered(answer(.declined, order.merchantReference)) }
        entries.withLock {
            let captured = order.command == .purchase ? order.amount : .zero
            $0[order.merchantReference] = Entry(
                command: order.command, amount: order.amount, balance: Balance(captured: captured))
        }
        if "\(order.amount)".hasSuffix("2") { return .unknown(reason: "the ledger does not answer") }
        return .answered(answer(order.command == .purchase ? .captured : .authorized, order.merchantReference))
    }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        let meaning: GatewayAnswer.Meaning =
            switch operation.command {
            case .capture: .captured
            case .voidAuthorization: .declined
            case .refund: .refunded
            }
        return .answered(answer(meaning, payment.merchantReference))
    }

    func whyUnverified(_ account: String) async -> UnverifiedAccount? { nil }

    func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        guard let entry = entries.withLock({ $0[payment.merchantReference] }) else {
            return .answered(answer(.notFound, payment.merchantReference))
        }
        return .answered(answer(.captured, payment.merchantReference, totals: entry.balance))
    }

    fileprivate func answer(
        _ meaning: GatewayAnswer.Meaning, _ reference: String, totals: Balance? = nil
    ) -> GatewayAnswer {
        let fields: JSONObject = ["ledger_entry": .string("entry-of-\(reference)")]
        return GatewayAnswer(
            meaning: meaning, captured: totals?.captured, totals: totals, reference: "entry-of-\(reference)",
            response: fields, fields: answerFields)
    }

    private struct Charge: PreparedCharge {
        let gateway: String
        let order: Order
        let token: PaymentToken?
        let ledger: Ledger

        func send() async -> Outcome<GatewayAnswer> { ledger.book(order) }
    }

    /// The ledger's route: notifications with a shared key, which are hints as a gateway's are.
    func routes(relay: PaymentRelay) -> [Route] {
        [
            Route(.post, "/v1/ledger/notifications", access: .gateway, bodyLimit: 1_024) { request in
                let json = try request.json()
                guard json["key"] == "ledger-key", let reference = json["order"]?.stringValue else {
                    throw Problem(.feedbackNotProven, "The key is wrong.")
                }
                _ = try await relay.record(
                    GatewayHint(
                        account: "books", merchantReference: reference, subject: .charge(.purchase),
                        statement: .captured, amount: nil, currency: nil, gatewayReference: nil),
                    kind: .direct)
                return Answer(head: HTTPResponse(status: .ok), body: [])
            }
        ]
    }

    var availability: [AccountAvailability] {
        [AccountAvailability(gateway: title, account: "books", state: .answering)]
    }
}
