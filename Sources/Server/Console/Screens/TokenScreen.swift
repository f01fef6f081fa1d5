import AccessControl
import ApplePayToken
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `GET` and `POST /console/tokens`: the contents of a token, and whether it is valid. Nothing is charged or
/// stored.
struct TokenScreen: Sendable {
    let relay: PaymentRelay

    var screens: [Screen] {
        [
            Screen(.get, "/console/tokens", .look) { _ in .page(page([:])) },
            Screen(.post, "/console/tokens", .look, respond: inspect),
        ]
    }

    private func page(_ view: [String: View]) -> Page {
        Page(template: "token", title: "Tokens", menu: "Tokens", view: view)
    }

    @Sendable private func inspect(_ request: ScreenRequest) throws -> ConsoleAnswer {
        guard let text = request.form["token"] else { return .page(refused(["It is empty. Paste a token as JSON."])) }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: Array(text.utf8))
        } catch {
            return .page(refused(["It is not JSON: \(error)."]))
        }
        do throws(TokenDecodingError) {
            return .page(page(result(of: try PaymentToken(json: json))))
        } catch {
            switch error {
            case .simulator: return .page(refused(["\(error)"]))
            case .invalid(let errors):
                return .page(refused(errors.map { "\($0.field.isEmpty ? "token" : $0.field) \($0.detail)" }))
            }
        }
    }

    /// Returns the page with the reasons. The token is not shown again, so that it cannot be copied from the
    /// screen.
    private func refused(_ reasons: [String]) -> Page {
        var page = page(["refusals": View(reasons.map { .text($0) }), "isRefused": true])
        page.status = .badRequest
        return page
    }

    private func result(of token: PaymentToken) -> [String: View] {
        let inspection = TokenInspection(of: token)
        var facts: [(String, String?)] = [
            ("Version", token.version.rawValue), ("transactionId", token.header.transactionId.text),
            ("publicKeyHash", token.header.publicKeyHash.text),
            ("applicationData", token.header.applicationData?.text),
            ("Card", token.paymentMethod?.displayName), ("Network", token.paymentMethod?.network),
            ("Type", token.paymentMethod?.type?.rawValue),
        ]
        facts.append(("The signature cannot be read", inspection.failure))
        let verification = relay.verify(token)
        return [
            "result": [
                "verdict": View(verification.map { $0.isValid ? "Valid" : "Not valid" } ?? "Verification is off"),
                "tone": .text(verification.map { $0.isValid ? "good" : "bad" } ?? "open"),
                "signedAt": View(inspection.signers.first?.signingTime),
                "facts": View(
                    facts.compactMap { name, value in value.map { ["name": .text(name), "value": .text($0)] } }),
                "checks": View(
                    (verification?.checks ?? []).map {
                        [
                            "name": .text($0.name.rawValue), "verdict": .text($0.verdict.label),
                            "tone": .text($0.verdict.tone), "detail": .text($0.detail),
                        ]
                    }),
                "hasChecks": .flag(verification != nil),
                "certificates": View(
                    inspection.certificates.map {
                        [
                            "subject": .text($0.subject), "serial": .text($0.serialNumber),
                            "from": View($0.notBefore), "to": View($0.notAfter),
                        ]
                    }),
            ]
        ]
    }
}

extension Check.Verdict {
    fileprivate var label: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "not reached"
        case .notAsked: "not requested"
        }
    }

    fileprivate var tone: String {
        switch self {
        case .passed: "good"
        case .failed: "bad"
        case .skipped, .notAsked: "quiet"
        }
    }
}
