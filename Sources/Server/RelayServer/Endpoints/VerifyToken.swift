import ApplePayToken
import HTTPListener
import PayrelayPrimitives
import PaymentRelay

/// `POST /v1/tokens/verify`: makes every check on a token and charges nothing. The body is the token in any shape that
/// apps send, or an object with it under `token`.
struct VerifyToken {
    let relay: PaymentRelay

    func respond(to request: RelayRequest) async throws -> Answer {
        let json = try request.json()
        let token: PaymentToken
        do throws(TokenDecodingError) {
            token = try PaymentToken(json: json)
        } catch {
            switch error {
            case .simulator: throw Problem.simulatorToken("\(error)")
            case .invalid(let errors): throw Problem.invalidFields(errors.map(\.ofToken))
            }
        }
        // A chain that was not seen before takes OpenSSL milliseconds, which would hold up the other connections of the event loop.
        let verification = await withTaskExecutorPreference(globalConcurrentExecutor) { relay.verify(token) }
        guard let verification else { throw Problem.verificationOff }
        return Answer(json: verification.json)
    }
}

extension ValidationError {
    /// An error of the token by Apple's own path: whatever the app wrapped around it is not part of its name.
    fileprivate var ofToken: ValidationError {
        ValidationError(field: field.isEmpty ? "token" : field, detail: detail)
    }
}
