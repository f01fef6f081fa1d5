import ApplePayToken
import HTTPListener
import PaymentRelay
import PayrelayPrimitives

/// `POST /v1/tokens/verify`: runs every check on a token without charging it. The body is the token in any form
/// that apps send, or an object that has the token as `token`.
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
        // OpenSSL takes milliseconds to verify a chain that it has not seen before. On the event loop, that would
        // delay the other connections.
        let verification = await withTaskExecutorPreference(globalConcurrentExecutor) { relay.verify(token) }
        guard let verification else { throw Problem.verificationOff }
        return Answer(json: verification.json)
    }
}

extension ValidationError {
    /// The same error, with Apple's own path of the field, whatever the app wrapped around the token.
    fileprivate var ofToken: ValidationError {
        ValidationError(field: field.isEmpty ? "token" : field, detail: detail)
    }
}
