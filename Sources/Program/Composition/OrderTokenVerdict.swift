public import AccessControl
public import FoundationEssentials
import GatewayModule
import PaymentRelay
public import PayrelayPrimitives
import RelayServer

/// A relay's verdict on an order token, with the use of each claim. It helps the developers who issue the tokens.
public struct OrderTokenVerdict: Sendable {
    /// The relay's use of a claim.
    public enum Use: String, Sendable {
        /// The claim is a field of the order, which the phone cannot choose.
        case pinned
        /// The claim limits the client, the lifetime or the scope of the token.
        case checked
        /// The relay does not read the claim.
        case ignored
    }

    /// The token's claims; they are verified only if ``refusal`` is `nil`.
    public let claims: JSONObject
    /// The client that the token authenticates; `nil` if the token is refused.
    public let client: AuthenticatedClient?
    /// Why the relay responds with 401 to every request with the token; `nil` if it does not.
    public let refusal: String?
    /// Why the relay responds with 400 to every payment with the token: pinned values that exceed the gateways'
    /// limits.
    public let errors: [ValidationError]
    /// The whole seconds until `exp`, without the leeway for clocks; `nil` if `exp` is absent or cannot be read.
    public let remaining: Int?

    /// - Parameters:
    ///   - token: the token as it was received.
    ///   - keys: the relay's keys.
    ///   - policy: the relay's policy. Its `orderFields` are ``pinning``.
    public init(of token: String, keys: [JWTKey], policy: JWTPolicy, at now: Date) {
        claims = (try? JSONWebToken(token))?.claims ?? JSONObject()
        let verifier = JWTVerifier(policy: policy, keys: keys, now: { now })
        do throws(JWTError) {
            client = try verifier.authenticateByOwnKeys(with: token)
            refusal = client?.order == nil ? "the token is not an order token: it pins no order" : nil
        } catch {
            client = nil
            refusal = "\(error)"
        }
        errors = Self.errors(of: client?.order?.fields ?? [:])
        remaining =
            if case .number(let literal)? = claims["exp"], let expiry = Double(literal) {
                Int(exactly: (expiry - now.timeIntervalSince1970).rounded(.down))
            } else { nil }
    }

    /// Whether the relay accepts the token and its pinned values, and the token permits paying or reading its
    /// order.
    public var isAccepted: Bool { canPay || canRead }

    /// Whether the token permits paying its order.
    public var canPay: Bool { permits(.paymentsCreate) && client?.order?.fields["command"] != nil }

    /// Whether the token permits reading its order.
    public var canRead: Bool { permits(.paymentsRead) }

    private func permits(_ scope: Scope) -> Bool {
        refusal == nil && errors.isEmpty && client?.scopes.contains(scope) == true
    }

    public func use(of claim: String) -> Use {
        Self.pinning.contains(claim) ? .pinned : Self.checked.contains(claim) ? .checked : .ignored
    }

    /// The names of the claims that pin a field.
    public static let pinning = OrderTokenRule.claims(
        orderFields: GatewayModules.all.flatMap { $0.orderFields }.map(\.name))
    private static let checked: Set = ["aud", "client_id", "exp", "iat", "iss", "nbf", "scope"]

    private static func errors(of fields: [String: String]) -> [ValidationError] {
        let ofGateways: [ValidationError] = fields.sorted { $0.key < $1.key }.flatMap { name, value in
            GatewayModules.all.flatMap { $0.errors(in: value, ofField: name) }
                .map { ValidationError(field: name, detail: $0) }
        }
        return ofGateways + Order.errors(ofReference: fields["merchant_reference"])
    }
}

extension OrderTokenVerdict {
    public var json: JSON {
        var json: JSONObject = [
            "accepted": .bool(isAccepted), "can_pay": .bool(canPay), "can_read": .bool(canRead),
        ]
        json["refusal"] = refusal.map(JSON.string)
        json["client"] = client.map { .string($0.name) }
        json["scopes"] = client.map { .array($0.scopes.map(\.rawValue).sorted().map(JSON.string)) }
        json["expires_in"] = remaining.map { JSON($0) }
        json["claims"] = .array(
            claims.members.map { claim in
                ["name": .string(claim.name), "use": .string(use(of: claim.name).rawValue), "value": claim.value]
            })
        if !errors.isEmpty { json["errors"] = errors.json }
        return .object(json)
    }
}
