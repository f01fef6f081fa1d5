import Crypto
import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore
public import OutboundHTTP
import PayrelayPrimitives
public import SandboxParts
import Synchronization

/// A sandbox for Meridian, over HTTP. It shares no code with the client, neither for reading requests nor for signatures.
///
/// | amount | outcome |
/// |---|---|
/// | 10029 | declined: `insufficient_funds` |
/// | 10408 | charged, and never answered |
/// | 10500 | charged, and answered with the status 500 |
public final class MeridianSandbox: ListeningSandbox {
    fileprivate struct Intent {
        let identifier: String
        let order: String
        let amount: Int
        let currency: String
        var status: String
        var received = 0
        var refunded = 0

        var json: JSON {
            [
                "id": .string(identifier), "object": "payment_intent", "amount": JSON(amount),
                "amount_received": JSON(received), "amount_refunded": JSON(refunded), "currency": .string(currency),
                "status": .string(status), "metadata": ["order": .string(order)],
                "card": ["brand": "visa", "last4": "4242"],
            ]
        }
    }

    fileprivate struct Answer {
        var status = 200
        let json: JSON

        static func error(_ status: Int, _ code: String, _ more: JSONObject = [:]) -> Answer {
            var error: JSONObject = ["code": .string(code), "message": .string("It is refused: \(code).")]
            for member in more.members { error[member.name] = member.value }
            return Answer(status: status, json: ["error": .object(error)])
        }
    }

    fileprivate struct State {
        var intents: [Intent] = []
        /// The answer to each idempotency key, and the request it belongs to.
        var answered: [String: (request: String, answer: Answer)] = [:]
    }

    private let key: String
    private let webhookSecret: String
    private let state = Mutex(State())

    public init(key: String, webhookSecret: String) {
        self.key = key
        self.webhookSecret = webhookSecret
    }

    public static func address(at port: Int) -> SandboxAddress { SandboxAddress(port: port, path: "") }

    public func runBeside() async {}

    /// Returns how often an order was charged.
    public func charges(of order: String) -> Int {
        state.withLock { $0.intents.count { $0.order == order && $0.status != "requires_payment_method" } }
    }

    /// Returns the event that Meridian sends about an order's last intent, and its signature header.
    public func event(about order: String, at time: Int) -> (body: [UInt8], signature: String)? {
        guard let intent = state.withLock({ $0.intents.last { $0.order == order } }) else { return nil }
        let body = JSON.object(["type": "payment_intent.updated", "data": ["object": intent.json]]).encoded()
        var hash = HMAC<SHA256>(key: SymmetricKey(data: Array(webhookSecret.utf8)))
        hash.update(data: Array("\(time)".utf8))
        hash.update(data: [UInt8(ascii: ".")])
        hash.update(data: body)
        let hex = hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return (body, "t=\(time),v1=\(hex)")
    }

    public func addRoutes(to router: Router<SandboxRequestContext>) {
        router.get("/v1/account") { request, _ in self.whole(request) { _ in Answer(json: ["id": "acct_1"]) } }
        router.get("/v1/payment_intents") { request, _ in
            let order = request.uri.queryParameters.get("order") ?? ""
            return self.whole(request) { state in
                Answer(
                    json: [
                        "object": "list", "data": .array(state.intents.filter { $0.order == order }.map(\.json)),
                    ])
            }
        }
        router.post("/v1/payment_intents") { request, context in
            try await self.once(request, context) { $0.charge($1) }
        }
        router.post("/v1/payment_intents/:id/capture") { request, context in
            try await self.once(request, context) { $0.capture(context.parameters.get("id") ?? "", $1) }
        }
        router.post("/v1/payment_intents/:id/cancel") { request, context in
            try await self.once(request, context) { state, _ in state.cancel(context.parameters.get("id") ?? "") }
        }
        router.post("/v1/refunds") { request, context in try await self.once(request, context) { $0.refund($1) } }
    }

    private func isAuthorized(_ request: Request) -> Bool { request.headers[.authorization] == "Bearer \(key)" }

    private func whole(_ request: Request, _ answer: (inout State) -> Answer) -> Response {
        response(isAuthorized(request) ? state.withLock { answer(&$0) } : .error(401, "api_key_invalid"))
    }

    /// Carries a form out once for each `Idempotency-Key`.
    private func once(
        _ request: Request, _ context: SandboxRequestContext, _ carryOut: (inout State, [String: String]) -> Answer
    ) async throws -> Response {
        guard isAuthorized(request) else { return response(.error(401, "api_key_invalid")) }
        guard request.headers[.contentType] == "application/x-www-form-urlencoded" else {
            return response(.error(400, "content_type_invalid"))
        }
        let body = String(buffer: try await request.body.collect(upTo: 65_536))
        let form = Self.fields(of: body)
        let key = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] } ?? ""
        let name = "\(request.uri.path) \(body)"
        let answer = state.withLock { state -> Answer in
            if let known = state.answered[key] {
                return known.request == name ? known.answer : .error(400, "idempotency_key_in_use")
            }
            let answer = carryOut(&state, form)
            state.answered[key] = (name, answer)
            return answer
        }
        switch form["amount"] {
        case "10408" where request.uri.path == "/v1/payment_intents":
            return try await SandboxReply.silence.deliver(over: context.channel)
        case "10500" where request.uri.path == "/v1/payment_intents":
            return try await SandboxReply.failure.deliver(over: context.channel)
        default: return response(answer)
        }
    }

    private func response(_ answer: Answer) -> Response {
        Response(
            status: .init(code: answer.status), headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.json.encoded())))
    }

    private static func fields(of form: String) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in form.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
            fields[decoded[0]] = decoded.count > 1 ? decoded[1] : ""
        }
        return fields
    }
}

extension MeridianSandbox.State {
    fileprivate mutating func charge(_ form: [String: String]) -> MeridianSandbox.Answer {
        guard let amount = form["amount"].flatMap({ Int($0) }), amount > 0, let currency = form["currency"],
            let order = form["metadata[order]"], form["confirm"] == "true",
            form["payment_method_data[card][apple_pay]"]?.isEmpty == false
        else { return .error(400, "parameter_missing") }
        var intent = MeridianSandbox.Intent(
            identifier: "pi_\(1_000 + intents.count)", order: order, amount: amount, currency: currency,
            status: "succeeded")
        if amount == 10_029 {
            intent.status = "requires_payment_method"
            intents.append(intent)
            return .error(402, "card_declined", ["decline_code": "insufficient_funds", "payment_intent": intent.json])
        }
        if form["capture_method"] == "manual" {
            intent.status = "requires_capture"
        } else {
            intent.received = amount
        }
        intents.append(intent)
        return .init(json: intent.json)
    }

    fileprivate mutating func capture(_ identifier: String, _ form: [String: String]) -> MeridianSandbox.Answer {
        guard let index = intents.firstIndex(where: { $0.identifier == identifier }) else {
            return .error(404, "missing")
        }
        guard let amount = form["amount_to_capture"].flatMap({ Int($0) }), amount <= intents[index].amount else {
            return .error(400, "amount_too_large")
        }
        guard intents[index].status == "requires_capture" else { return .error(400, "payment_intent_unexpected_state") }
        intents[index].status = "succeeded"
        intents[index].received = amount
        return .init(json: intents[index].json)
    }

    fileprivate mutating func cancel(_ identifier: String) -> MeridianSandbox.Answer {
        guard let index = intents.firstIndex(where: { $0.identifier == identifier }) else {
            return .error(404, "missing")
        }
        // Captured money must be refunded: it cannot be voided.
        guard intents[index].status == "requires_capture" else { return .error(400, "payment_intent_unexpected_state") }
        intents[index].status = "canceled"
        return .init(json: intents[index].json)
    }

    fileprivate mutating func refund(_ form: [String: String]) -> MeridianSandbox.Answer {
        guard let index = intents.firstIndex(where: { $0.identifier == form["payment_intent"] }) else {
            return .error(404, "missing")
        }
        guard let amount = form["amount"].flatMap({ Int($0) }),
            amount <= intents[index].received - intents[index].refunded
        else { return .error(400, "charge_already_refunded") }
        intents[index].refunded += amount
        return .init(
            json: [
                "id": "re_1", "object": "refund", "payment_intent": .string(intents[index].identifier),
                "amount": JSON(amount), "status": "succeeded",
            ])
    }
}
