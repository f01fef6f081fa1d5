package import PayrelayAPI

extension RelayPayments {
    /// Pays like ``pay(_:with:within:)``, but always returns soon after the time limit, even if the app's
    /// function for order tokens or the app's transport ignores its cancellation. The payment continues even if
    /// the waiting task is cancelled.
    package func payForSheet(
        _ order: Order, with token: AppleToken, orderToken: String? = nil, within limit: TimeLimit
    ) async -> Result<PaymentResult, RelayError> {
        let first = FirstResult<Result<PaymentResult, RelayError>>()
        let payment = Task {
            do throws(RelayError) {
                first.set(.success(try await pay(order, with: token, orderToken: orderToken, within: limit)))
            } catch {
                first.set(.failure(error))
            }
        }
        let guardian = Task {
            // The client itself may need up to two seconds after its time limit to return.
            try await clock.sleep(seconds: limit.seconds + 2)
            first.set(.failure(.noAnswer))
            payment.cancel()
        }
        defer { guardian.cancel() }
        return await first.value
    }
}
