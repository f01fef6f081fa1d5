import AccessControl
import FoundationEssentials
import HTTPListener
import HTTPTypes
import PayrelayAPI
import PayrelayPrimitives
import RelayServer

/// `POST /_dev/order-tokens`: does what a shop's backend does for its checkout page. It issues an order token for
/// the order in the body, to the browser that began the order.
struct IssueOrderToken {
    let key: JWTSigningKey
    let orders: BrowserOrders

    func respond(to request: RelayRequest) throws -> Answer {
        var reader = try JSONFieldReader(body: request.json())
        var fields = reader.texts(digitsIn: PaymentField.amount)
        var claims = OrderTokenClaims(
            issuedAt: Int(Date().timeIntervalSince1970),
            merchantReference: fields.removeValue(forKey: PaymentField.merchantReference) ?? "",
            amount: fields.removeValue(forKey: PaymentField.amount).flatMap { Int($0) } ?? 0,
            currency: fields.removeValue(forKey: PaymentField.currency) ?? "")
        claims.command = fields.removeValue(forKey: PaymentField.command).flatMap { .init(rawValue: $0) }
        claims.fields = fields
        reader.add(claims.errors())
        guard reader.errors.isEmpty else { throw Problem.invalidFields(reader.errors) }
        // The page also requests the merchant session from the relay.
        claims.scopes = OrderTokenClaims.possibleScopes
        let cookie = try begin(claims.merchantReference, request)
        var response = Answer(json: ["order_token": .string(try key.token(claims.json))])
        response.head.headerFields[.setCookie] = cookie
        return response
    }

    private func begin(_ merchantReference: String, _ request: RelayRequest) throws -> String? {
        do throws(BrowserOrders.Refusal) {
            return try orders.begin(merchantReference, in: request.head.headerFields)
        } catch {
            let reason =
                switch error {
                case .otherBrowser: "is of an order that another browser began"
                case .tooMany: "is one more than the \(BrowserOrders.limit) orders of one run; start payrelay-dev again"
                }
            throw Problem.invalidFields([ValidationError(field: PaymentField.merchantReference, detail: reason)])
        }
    }
}
