public import ApplePayToken
public import FortAPI
public import PaymentRelay

/// FORT as a ``Processor``: an order and a token become an `APPLE_PAY` request, a verified answer becomes its meaning.
///
/// This room is the only one that knows both languages. What FORT's codes mean for a payment is decided here, in
/// ``ProcessorAnswer/init(toCharge:)`` and ``ProcessorAnswer/init(toStatusOf:_:)``; the fields and their limits are `FortAPI`'s.
public struct FortProcessor: Processor {
    private let client: FortClient
    /// For one exchange with FORT. After it the payment is uncertain.
    private let timeout: Duration

    public init(client: FortClient, timeout: Duration) {
        self.client = client
        self.timeout = timeout
    }

    public func order(from fields: [String: String], token: PaymentToken) throws(OrderFaults) -> Order {
        let request = try applePayRequest(fields, token: token)
        guard let command = Order.Command(rawValue: request.command.rawValue), let amount = Int(fields["amount"] ?? ""),
            let reference = fields["merchant_reference"], let currency = fields["currency"]
        else { throw OrderFaults([]) }
        return Order(
            command: command, merchantReference: reference, amount: amount, currency: currency, fields: fields)
    }

    public func faults(in fields: [String: String]) -> [FieldFault] {
        ApplePayRequest.faults(in: fields).map(FieldFault.init)
    }

    public func charge(_ order: Order, with token: PaymentToken) async -> ProcessorReport {
        do throws(OrderFaults) {
            let request = try applePayRequest(order.fields, token: token)
            return await report(on: request) { ProcessorAnswer(toCharge: $0) }
        } catch {
            return .notSent(reason: "the order has faults that were not seen before: \(error.faults)")
        }
    }

    public func status(of payment: Payment) async -> ProcessorReport {
        do throws(FortFaults) {
            let request = try CheckStatusRequest(merchantReference: payment.merchantReference)
            return await report(on: request) { ProcessorAnswer(toStatusOf: payment, $0) }
        } catch {
            return .notSent(reason: "the payment cannot be asked about: \(error)")
        }
    }

    /// Sends a request and says what is known afterwards.
    private func report(
        on request: some FortRequest, meaning: (FortAnswer) -> ProcessorAnswer
    ) async -> ProcessorReport {
        do throws(FortFailure) {
            return .answered(meaning(try await client.send(request, timeout: timeout)))
        } catch {
            switch error {
            case .notSent: return .notSent(reason: "\(error)")
            case .noAnswer, .unverified: return .unanswered(reason: "\(error)")
            }
        }
    }

    private func applePayRequest(
        _ fields: [String: String], token: PaymentToken
    ) throws(OrderFaults) -> ApplePayRequest {
        guard let parameters = AppleParameters(token) else {
            let fault = FieldFault(
                field: "token.paymentData.version",
                detail: "is RSA_v1: FORT has no field for a wrapped key; it takes EC_v1")
            throw OrderFaults([fault] + faults(in: fields))
        }
        do {
            return try ApplePayRequest(order: fields, token: parameters)
        } catch {
            throw OrderFaults(error.faults.map(FieldFault.init))
        }
    }
}
