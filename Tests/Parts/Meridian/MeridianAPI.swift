import Crypto
import FoundationEssentials
import OutboundHTTP
public import PayrelayPrimitives

/// A merchant's account at Meridian, an invented gateway. Its interface has the shape of Stripe's: a Bearer key, form bodies,
/// `Idempotency-Key`, GET for the status, signed webhooks with a timestamp, minor units.
public struct MeridianAccount: MerchantAccount, Redacted {
    public static let identifierName = "account id"
    /// The identifier: `acct_…`.
    public let identifier: String
    /// The Bearer key.
    let secretKey: Secret
    /// The secret that signs webhooks.
    let webhookSecret: Secret

    public init(identifier: String, secretKey: Secret, webhookSecret: Secret) {
        self.identifier = identifier
        self.secretKey = secretKey
        self.webhookSecret = webhookSecret
    }

    public var description: String { "Meridian account \(identifier)" }
}

public typealias MeridianAccounts = MerchantAccounts<MeridianAccount>

/// A charge in Meridian's answers and webhooks. An intent counts only if it has every member.
struct MeridianIntent: Equatable {
    enum Status: String {
        case requiresPaymentMethod = "requires_payment_method"
        case requiresCapture = "requires_capture"
        case processing, succeeded, canceled
    }

    let identifier: String
    let order: String
    let amount: MinorUnits
    let currency: Currency
    /// The status, or `nil` if it is unknown.
    let status: Status?
    let received: MinorUnits
    let refunded: MinorUnits
    let json: JSONObject

    /// Reads an intent. Returns `nil` if the JSON is not an intent with its order, its amounts and its currency.
    init?(_ json: JSON?) {
        guard let json = json?.objectValue, json["object"] == "payment_intent",
            let identifier = json["id"]?.stringValue, identifier.isMeridianIdentifier,
            let order = json["metadata"]?["order"]?.stringValue,
            let amount = Self.amount(json["amount"]), let received = Self.amount(json["amount_received"]),
            let refunded = Self.amount(json["amount_refunded"]),
            let currency = json["currency"]?.stringValue.flatMap({ Currency(code: $0.uppercasedASCII) })
        else { return nil }
        self.identifier = identifier
        self.order = order
        self.amount = amount
        self.currency = currency
        status = json["status"]?.stringValue.flatMap(Status.init)
        self.received = received
        self.refunded = refunded
        self.json = json
    }

    private static func amount(_ json: JSON?) -> MinorUnits? {
        if case .number(let digits)? = json { MinorUnits(parsing: digits) } else { nil }
    }
}

extension String {
    /// Whether the text is an identifier such as `pi_3MtwBwLkdIwHu7ix`, which goes into a path.
    var isMeridianIdentifier: Bool {
        (1...40).contains(utf8.count)
            && utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || $0 == UInt8(ascii: "_") }
    }
}

/// Meridian's answer to a request.
enum MeridianReply {
    /// The status 200.
    case done(JSON)
    /// The status 402: the card was declined, and the intent says so.
    case declined(MeridianIntent?, code: String, message: String)
    /// The status 404.
    case notFound
    /// Another status 4xx: the request was not carried out.
    case refused(code: String, message: String)
}

/// Sends requests to Meridian with an account's key.
public struct MeridianClient: Sendable {
    let account: MeridianAccount
    let endpoint: GatewayEndpoint
    let transport: any GatewayTransport
    let timeout: Duration
    /// A callback after each exchange.
    let observe: @Sendable (MeridianAccount, Outcome<Int>) -> Void

    func get(_ path: String, timeout: Duration? = nil) async -> Outcome<MeridianReply> {
        await send(.get(endpoint, path: path, headers: headers(), timeout: timeout ?? self.timeout))
    }

    /// - Parameter key: The idempotency key. The same request with the same key is carried out once.
    func post(_ path: String, _ fields: JSONObject, idempotencyKey key: String) async -> Outcome<MeridianReply> {
        await send(.form(fields, to: endpoint, path: path, headers: headers(key), timeout: timeout))
    }

    private func headers(_ idempotencyKey: String? = nil) -> [(name: String, value: String)] {
        [(name: "Authorization", value: "Bearer \(account.secretKey.exposed)")]
            + (idempotencyKey.map { [(name: "Idempotency-Key", value: $0)] } ?? [])
    }

    private func send(_ request: OutboundRequest) async -> Outcome<MeridianReply> {
        let outcome = await transport.send(request)
        observe(account, outcome.map(\.status))
        guard case .answered(let answer) = outcome else {
            return outcome.map { _ in .notFound }
        }
        let json = try? JSON(parsing: answer.body)
        let error = json?["error"]
        let code = error?["decline_code"]?.stringValue ?? error?["code"]?.stringValue ?? "\(answer.status)"
        let message = error?["message"]?.stringValue ?? ""
        switch answer.status {
        case 200:
            guard let json else { return .unknown(reason: "Meridian's answer is not JSON") }
            return .answered(.done(json))
        case 402: return .answered(.declined(MeridianIntent(error?["payment_intent"]), code: code, message: message))
        case 404: return .answered(.notFound)
        case 429: return .notSent(reason: "Meridian answered 429: it takes no more requests now")
        // Another request with the key is under way.
        case 409, 500...: return .unknown(reason: "Meridian answered \(answer.status)")
        default: return .answered(.refused(code: code, message: message))
        }
    }
}

/// A webhook of Meridian: a signature over the time and the body.
enum MeridianWebhook {
    /// The tolerance in seconds. An earlier or later time is refused, so that a recorded message cannot be replayed for ever.
    static let tolerance = 300

    enum Failure: Error, Equatable {
        case notSigned, wrongSignature, tooOld, notAnEvent
    }

    /// Returns the intent that a genuine and timely message is about, and the account whose key signed it.
    ///
    /// - Parameter header: The signature header: `t=1700000000,v1=<HMAC-SHA256 of "1700000000.<body>", hex>`.
    static func intent(
        in body: [UInt8], signature header: String?, of accounts: MeridianAccounts, at now: Int
    ) throws(Failure) -> (MeridianIntent, MeridianAccounts.Entry) {
        var parts: [String: String] = [:]
        for part in (header ?? "").split(separator: ",") {
            let (name, value) = part.cut(at: "=")
            parts[String(name)] = value.map { String($0) }
        }
        guard let time = parts["t"].flatMap({ Int($0) }), let signature = parts["v1"] else { throw .notSigned }
        let signer = accounts.entries.first { entry in
            let expected = Self.signature(of: body, at: time, with: entry.account.webhookSecret)
            return equalInConstantTime(Array(expected.utf8), Array(signature.utf8))
        }
        guard let signer else { throw .wrongSignature }
        guard abs(now - time) <= tolerance else { throw .tooOld }
        guard let event = try? JSON(parsing: body), let intent = MeridianIntent(event["data"]?["object"]) else {
            throw .notAnEvent
        }
        return (intent, signer)
    }

    static func signature(of body: [UInt8], at time: Int, with secret: Secret) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(time).".utf8) + body, using: SymmetricKey(data: Array(secret.exposed.utf8)))
        return HexText(encoding: Array(code)).text
    }
}
