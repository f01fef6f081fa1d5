package import PayrelayAPI

extension RelayPayments {
    /// Pays as ``pay(_:with:within:)`` does, and returns soon after the limit in every case: also where the app's
    /// function for order tokens or a transport of the app's does not end when it is told to. The payment goes on though
    /// the task that waits for it is cancelled.
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
            // For this long after the time limit the client may still be about to answer.
            try await clock.sleep(seconds: limit.seconds + 2)
            first.set(.failure(.noAnswer))
            payment.cancel()
        }
        defer { guardian.cancel() }
        return await first.value
    }
}
