public import ApplePayToken
public import FortAPI
public import PaymentRelay

/// FORT as a ``Processor``: an order and a token become an `APPLE_PAY` request, a verified answer becomes its meaning.
///
/// This room is the only one that knows both languages. What FORT's codes mean for a payment is decided here, in
/// ``ProcessorAnswer/init(_:)`` and ``ProcessorAnswer/init(toStatusOf:_:)``; the fields and their limits are `FortAPI`'s.
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
        let amountText = try value(of: "amount", in: fields)
        guard let amount = Int(amountText) else {
            throw OrderFaults([FieldFault(field: "amount", detail: "is not a whole number")])
        }
        return Order(
            command: request.command == .authorization ? .authorization : .purchase,
            merchantReference: try value(of: "merchant_reference", in: fields), amount: amount,
            currency: try value(of: "currency", in: fields), fields: fields)
    }

    public func faults(in fields: [String: String]) -> [FieldFault] {
        ApplePayRequest.faults(in: fields).map(FieldFault.init)
    }

    public func charge(_ order: Order, with token: PaymentToken) async -> ProcessorReport {
        do throws(OrderFaults) {
            let request = try applePayRequest(order.fields, token: token)
            return await report(on: request) { ProcessorAnswer($0) }
        } catch {
            return .notSent(reason: "the order has faults that were not seen before: \(error.faults)")
        }
    }

    public func maintain(
        _ payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]
    ) async -> ProcessorReport {
        do throws(FortFaults) {
            return switch operation.command {
            case .capture:
                await report(on: try CaptureRequest(payment, operation, fields)) { ProcessorAnswer($0) }
            case .voidAuthorization:
                await report(on: try VoidAuthorizationRequest(payment, operation, fields)) { ProcessorAnswer($0) }
            case .refund:
                await report(on: try RefundRequest(payment, operation, fields)) { ProcessorAnswer($0) }
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

    /// A field that ``ApplePayRequest`` demands too, so that this refuses nothing more.
    private func value(of name: String, in fields: [String: String]) throws(OrderFaults) -> String {
        guard let value = fields[name] else { throw OrderFaults([FieldFault(field: name, detail: "is missing")]) }
        return value
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
