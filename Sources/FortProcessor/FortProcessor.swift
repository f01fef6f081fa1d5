public import ApplePayToken
public import FortAPI
public import PaymentRelay

/// FORT as a ``Processor``: an order and a token become an `APPLE_PAY` request, a verified answer becomes its meaning.
///
/// This room is the only one that knows both languages. What FORT's codes mean for a payment is decided here, in
/// ``ProcessorAnswer/init(_:)`` and ``ProcessorAnswer/init(toStatusOf:_:)``; the fields and their limits are `FortAPI`'s.
public struct FortProcessor: Processor {
    private let clients: FortClients
    /// For one exchange with FORT. After it the payment is uncertain.
    private let timeout: Duration
    private let warn: @Sendable (_ merchantReference: String, _ departures: [FortFault]) -> Void

    /// - Parameter warn: told where a token that is about to be sent departs from FORT's documented limits, by FORT's names
    ///   of its parts. Apple made it so, and whether FORT takes it FORT says.
    public init(
        clients: FortClients, timeout: Duration,
        warn: @escaping @Sendable (_ merchantReference: String, _ departures: [FortFault]) -> Void = { _, _ in }
    ) {
        self.clients = clients
        self.timeout = timeout
        self.warn = warn
    }

    /// - Parameter fields: `account` among them names one of the merchant's accounts; it is no field of FORT's.
    public func order(from fields: [String: String], token: PaymentToken) throws(OrderFaults) -> Order {
        var fields = fields
        let name = fields.removeValue(forKey: "account")
        let account = clients.faults(ofName: name, currency: fields["currency"])
        guard let parameters = AppleParameters(token) else {
            let fault = FieldFault(
                field: "token.paymentData.version",
                detail: "is RSA_v1: FORT has no field for a wrapped key; it takes EC_v1")
            throw OrderFaults([fault] + ApplePayRequest.faults(in: fields).map(FieldFault.init) + account)
        }
        let faults = ApplePayRequest.faults(in: fields, token: parameters).map(FieldFault.init) + account
        guard faults.isEmpty else { throw OrderFaults(faults) }
        return Order(
            command: try value(of: "command", in: fields, Order.Command.init(rawValue:)),
            merchantReference: try value(of: "merchant_reference", in: fields) { $0 },
            amount: try value(of: "amount", in: fields) { Int($0) },
            currency: try value(of: "currency", in: fields) { $0 },
            account: clients.nameToKeep(name, currency: fields["currency"]), fields: fields)
    }

    public func faults(in fields: [String: String]) -> [FieldFault] {
        var fields = fields
        let name = fields.removeValue(forKey: "account")
        return ApplePayRequest.faults(in: fields).map(FieldFault.init)
            + clients.faults(ofName: name, currency: fields["currency"])
    }

    public func charge(_ order: Order, with token: PaymentToken) async -> ProcessorReport {
        guard let parameters = AppleParameters(token) else {
            return .notSent(reason: "FORT has no field for the token's wrapped key")
        }
        let departures = parameters.warnings
        if !departures.isEmpty { warn(order.merchantReference, departures) }
        // An order is made by `order(from:token:)`, which has looked for faults.
        let request = ApplePayRequest(faultless: order.fields, token: parameters)
        return await report(on: request, account: order.account, order.currency) { ProcessorAnswer($0) }
    }

    public func maintain(
        _ payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]
    ) async -> ProcessorReport {
        do throws(FortFaults) {
            return switch operation.command {
            case .capture:
                await report(on: try CaptureRequest(payment, operation, fields), payment) { ProcessorAnswer($0) }
            case .voidAuthorization:
                await report(on: try VoidAuthorizationRequest(payment, operation, fields), payment) {
                    ProcessorAnswer($0)
                }
            case .refund:
                await report(on: try RefundRequest(payment, operation, fields), payment) { ProcessorAnswer($0) }
            }
        } catch {
            return .notSent(reason: "the operation has faults that were not seen before: \(error)")
        }
    }

    public func faults(
        in payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]
    ) -> [FieldFault] {
        do throws(FortFaults) {
            switch operation.command {
            case .capture: _ = try CaptureRequest(payment, operation, fields)
            case .voidAuthorization: _ = try VoidAuthorizationRequest(payment, operation, fields)
            case .refund: _ = try RefundRequest(payment, operation, fields)
            }
            return []
        } catch {
            return error.faults.map(FieldFault.init)
        }
    }

    public func status(of payment: Payment) async -> ProcessorReport {
        do throws(FortFaults) {
            let request = try CheckStatusRequest(merchantReference: payment.merchantReference)
            return await report(on: request, payment) { ProcessorAnswer(toStatusOf: payment, $0) }
        } catch {
            return .notSent(reason: "the payment cannot be asked about: \(error)")
        }
    }

    private func report(
        on request: some FortRequest, _ payment: Payment, meaning: (FortAnswer) -> ProcessorAnswer
    ) async -> ProcessorReport {
        await report(on: request, account: payment.account, payment.currency, meaning: meaning)
    }

    /// Sends a request with an account and says what is known afterwards.
    private func report(
        on request: some FortRequest, account name: String?, _ currency: String,
        meaning: (FortAnswer) -> ProcessorAnswer
    ) async -> ProcessorReport {
        guard let client = clients.client(named: name, currency: currency) else {
            return .notSent(reason: "no account \(name.map { "of the name \($0)" } ?? "for \(currency)") is configured")
        }
        do throws(FortFailure) {
            return .answered(meaning(try await client.send(request, timeout: timeout)))
        } catch {
            switch error {
            case .notSent: return .notSent(reason: "\(error)")
            case .noAnswer, .unverified: return .unanswered(reason: "\(error)")
            }
        }
    }

    /// A field that ``ApplePayRequest`` has found no fault in, so that this refuses nothing more.
    private func value<Value>(
        of name: String, in fields: [String: String], _ read: (String) -> Value?
    ) throws(OrderFaults) -> Value {
        guard let value = fields[name].flatMap(read) else {
            throw OrderFaults([FieldFault(field: name, detail: "is missing, or cannot be read")])
        }
        return value
    }
}
