import AccessControl
import ApplePayToken
import HTTPListener
import HTTPTypes
import PayrelayPrimitives
import RelayServer
import TokenMint

extension ExchangeLog {
    /// Records a request to pay or to read a payment, with its response.
    func record(_ request: RelayRequest, _ response: Answer) {
        let body = (try? JSON(parsing: request.bytes))?.objectValue
        let named = request.pathParameter.isEmpty ? nil : request.pathParameter
        guard
            let reference = named ?? body?["merchant_reference"]?.stringValue
                ?? request.client?.order?.merchantReference
        else { return }
        record(
            RecordedExchange(
                reference, .client(request.client?.name),
                [
                    ("method", .string(request.head.method.rawValue)),
                    ("request", body.map { .string(String(decoding: Self.shown($0).encoded(), as: UTF8.self)) }),
                    ("status", JSON(response.head.status.code)),
                    ("response", .string(String(decoding: response.bytes, as: UTF8.self))),
                ]))
    }

    /// Returns the body without a real card's token. The sandbox rejects such a token, and the page must not show
    /// it.
    private static func shown(_ body: JSONObject) -> JSON {
        var body = body
        if let token = body["token"], !isSandboxToken(token) {
            body["token"] = "(left out: it is not encrypted for the sandbox)"
        }
        return .object(body)
    }

    private static func isSandboxToken(_ json: JSON) -> Bool {
        do throws(TokenDecodingError) {
            let token = try PaymentToken(json: json)
            return (try? SandboxPKI.published.open(token)) != nil
        } catch {
            return error == .simulator
        }
    }
}
