import AccessControl
import OutboundHTTP
import PayrelayPrimitives
import ProcessorModule

/// The keys of JWTs, where the relay reads them from a URL.
struct TokenKeysCheck {
    let url: String

    func diagnostic(
        _ send: (OutboundRequest) async -> Outcome<OutboundAnswer>
    ) async -> Diagnostic {
        let check = "jwt-keys"
        do throws(NoAnswer) {
            let answer = try await send(
                OutboundRequest(method: .get, url: url, timeout: .seconds(10), answerLimit: 1_048_576)
            ).get()
            guard answer.status == 200 else {
                return .fail(check, "\(url) answered \(answer.status)", advice: "Look at PAYRELAY_JWT_KEYS_URL.")
            }
            let keys = (try? JWTKey.keys(parsing: String(decoding: answer.body, as: UTF8.self))) ?? []
            guard !keys.isEmpty else {
                return .fail(
                    check, "\(url) has no key that can be used",
                    advice: "It must be a JWK Set (RFC 7517) with public keys.")
            }
            return .pass(check, "\(url) has \(keys.count) keys")
        } catch {
            return .fail(check, "\(url): \(error.reason)", advice: "JWTs are refused while it cannot be read.")
        }
    }
}
