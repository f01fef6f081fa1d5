import ApplePayToken
import Hummingbird
import Primitives
import PaymentRelay

/// `POST /v1/tokens/verify`: makes every check on a token and charges nothing. The body is the token in any shape that
/// apps send, or an object with it under `token`.
struct VerifyToken {
    let relay: PaymentRelay
    /// In bytes.
    let bodyLimit: Int

    func respond(to request: Request, context: RelayRequestContext) async throws -> Response {
        let json = try await request.readJSON(limit: bodyLimit)
        let token: PaymentToken
        do throws(TokenDecodingError) {
            token = try PaymentToken(json: json)
        } catch {
            switch error {
            case .simulator: throw Problem.simulatorToken("\(error)")
            case .faults(let faults): throw Problem.invalidFields(faults.map(\.ofToken))
            }
        }
        guard let verification = relay.verify(token) else { throw Problem.verificationOff }
        return Response(json: verification.json)
    }
}

extension ValidationError {
    /// An error of the token by Apple's own path: whatever the app wrapped around it is not part of its name.
    fileprivate var ofToken: ValidationError {
        ValidationError(field: field.isEmpty ? "token" : field, detail: detail)
    }
}
