import FortAPI
import FoundationEssentials
import GatewayModule
import OutboundHTTP
import PayrelayPrimitives
import Synchronization

/// Queries FORT about an order that does not exist, once for each account. A verified answer "Order not found"
/// proves that the address, the credentials, both phrases and the SHA type are right.
struct FortCheck {
    private let endpoint: GatewayEndpoint
    private let timeout: Duration
    private let transport: KeptAnswer

    init(endpoint: GatewayEndpoint, timeout: Duration, send: @escaping KeptAnswer.Send) {
        self.endpoint = endpoint
        self.timeout = timeout
        transport = KeptAnswer(send)
    }

    /// Returns the results of the checks for an account.
    ///
    /// - Parameter isOneOfSeveral: whether several accounts are checked at the same address. The check of the
    ///   address then has the account's name in its own name.
    func diagnostics(for entry: FortAccounts.Entry, isOneOfSeveral: Bool = false) async -> [Diagnostic] {
        let (reach, identity) = (
            isOneOfSeveral ? "fort-endpoint:\(entry.name)" : "fort-endpoint", "fort-account:\(entry.name)"
        )
        let message: FortMessage
        do throws(ValidationErrors) {
            message = try FortMessage.probe(for: entry.account)
        } catch {
            return [
                .fail(identity, "no request can be made for it: \(error)", advice: "Compare it with APS's dashboard.")
            ]
        }
        let client = FortClient(account: entry.account, endpoint: endpoint, transport: transport)
        switch await client.exchange(message, timeout: timeout).outcome {
        case .notSent(let reason):
            return [
                .fail(
                    reach, "\(endpoint): \(reason)",
                    advice:
                        "Look at DNS, the firewall and the proxy between this machine and FORT, and at the machine's root certificates. Nothing was sent."
                )
            ]
        case .unknown(let reason):
            return [
                .fail(
                    reach, "\(endpoint): \(reason)",
                    advice:
                        "The connection came about, and no answer came. A firewall that drops, or FORT is down: try again."
                )
            ]
        case .answered(.failure(.httpStatus(let status))):
            return [
                .fail(
                    reach, "\(endpoint) answered HTTP status \(status), as FORT never does",
                    advice: "A proxy or another server answers. PAYRELAY_FORT_ENDPOINT ends in /FortAPI/paymentApi.")
            ]
        case .answered(.failure(let error)):
            return [reached(reach), unproven(identity, error, of: entry.account)]
        case .answered(.success(let answer)):
            return [reached(reach), verified(identity, answer)]
        }
    }

    private func reached(_ check: String) -> Diagnostic {
        let environment =
            switch endpoint {
            case .fortProduction: ", FORT's production: real money"
            case .fortTest: ", FORT's test environment"
            default: ""
            }
        return .pass(check, "\(endpoint) answers\(environment)")
    }

    private func verified(_ check: String, _ answer: FortAnswer) -> Diagnostic {
        let code = answer.responseCode
        let said = "FORT answers \(code) \(code.messageText ?? answer.responseMessage ?? "")"
        switch answer.class {
        case .notFound, .success, .declined, .duplicate:
            return .pass(check, "\(said) Access code, phrases and SHA type are right, and this address is permitted.")
        case .signature, .configuration, .request, .token, .notAllowed:
            return .fail(check, said, advice: code.advice ?? "Ask APS what it lacks; `payrelay fort codes \(code)`.")
        case .uncertain:
            return .unknown(check, "\(said) It is signed with the response phrase.", advice: code.advice)
        }
    }

    /// Reports an answer that is not proven to be FORT's. The check still reads the answer, because the answer
    /// probably names the cause.
    private func unproven(_ check: String, _ error: FortAnswerError, of account: FortAccount) -> Diagnostic {
        let body = transport.last.flatMap { try? JSON(parsing: $0.body) }?.objectValue
        let code = body?["response_code"]?.scalarText.flatMap { FortCode($0) }
        var detail = "FORT's answer cannot be verified: \(error)"
        if let code { detail += ". It says \(code) \(code.messageText ?? "")" }
        if let code, code.class == .signature || code.class == .configuration, let advice = code.advice {
            return .fail(check, detail, advice: advice)
        }
        guard case .wrongSignature = error, let body, let signature = body["signature"]?.stringValue else {
            return .fail(
                check, detail,
                advice: "Something between this machine and FORT answers, or FORT refuses the account: ask APS.")
        }
        let diagnosis = SignatureDiagnosis(
            of: signature, over: body, phrase: account.responsePhrase, otherPhrase: account.requestPhrase,
            type: account.signatureType)
        guard case .mistaken(let ways) = diagnosis, let way = ways.first else {
            return .fail(
                check, detail,
                advice:
                    "Compare the SHA response phrase with the dashboard's, character by character; Apple Pay has its own pair."
            )
        }
        return .fail(check, detail, advice: way.map(\.explanation).joined(separator: " "))
    }

    /// The check of this machine's clock, by the Date of the last answer (RFC 9110, 6.6.1), which has whole
    /// seconds.
    var clock: Diagnostic {
        let last = transport.last
        return ClockCheck.diagnostic(date: last?.date, received: last?.received ?? Date())
    }
}

/// A transport that sends to FORT and keeps the last answer for the diagnosis.
final class KeptAnswer: GatewayTransport {
    typealias Send =
        @Sendable (OutboundRequest) async -> Outcome<(status: Int, body: [UInt8], date: String?)>

    struct Answer {
        let body: [UInt8]
        let date: String?
        let received: Date
    }

    private let sendOnce: Send
    private let kept = Mutex<Answer?>(nil)

    init(_ send: @escaping Send) {
        sendOnce = send
    }

    var last: Answer? { kept.withLock { $0 } }

    func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        kept.withLock { $0 = nil }
        let outcome = await sendOnce(request)
        if case .answered(let answer) = outcome {
            kept.withLock { $0 = Answer(body: answer.body, date: answer.date, received: Date()) }
        }
        return outcome.map { OutboundAnswer(status: $0.status, body: $0.body) }
    }
}
