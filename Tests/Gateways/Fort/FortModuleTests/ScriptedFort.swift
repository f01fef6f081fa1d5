import ApplePayToken
import FortAPI
import FortModule
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import TokenMint

/// A FORT that answers as the test says, in place of the network.
final class ScriptedFort: GatewayTransport {
    static let account: FortAccount? = try? FortAccount(
        accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("REQ"),
        responsePhrase: Secret("RES"))

    let json: JSON
    let token: PaymentToken
    private let status: Int
    private let reply: @Sendable (JSONObject) -> Outcome<[UInt8]>
    private let received = Mutex<[JSONObject]>([])

    /// - Parameter status: The HTTP status of every answer.
    init(status: Int = 200, _ reply: @escaping @Sendable (JSONObject) -> Outcome<[UInt8]>) throws {
        json = try TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date())
        token = try PaymentToken(json: json)
        self.status = status
        self.reply = reply
    }

    /// Makes a FORT that answers every request with the request's parameters and `more`, signed.
    convenience init(answering more: JSONObject) throws {
        try self.init { sent in .answered(sent.answered(more)) }
    }

    /// The requests that arrived, in order.
    var requests: [JSONObject] { received.withLock { $0 } }

    var gateway: FortGateway {
        // swift-format-ignore: NeverForceUnwrap
        // Safe: the account's constants are within FORT's limits.
        FortGateway(
            clients: FortClients(
                accounts: FortAccounts(Self.account!), endpoint: .fortTest, transport: self), timeout: .seconds(1))
    }

    func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        let sent = (try? JSON(parsing: request.body))?.objectValue ?? [:]
        received.withLock { $0.append(sent) }
        return reply(sent).map { OutboundAnswer(status: status, body: $0) }
    }
}

extension JSONObject {
    /// Returns the request with more members as an answer, signed as FORT signs. A null removes a member.
    func answered(_ more: JSONObject, phrase: String = "RES", type: FortSignatureType = .standard) -> [UInt8] {
        var answer = JSONObject(members.filter { !$0.name.hasPrefix("apple_") }.map { ($0.name, $0.value) })
        answer["signature"] = nil
        for member in more.members { answer[member.name] = member.value == .null ? nil : member.value }
        let signature = FortSignature(of: answer, phrase: Secret(phrase), type: type)
        answer["signature"] = .string(signature.hexadecimal)
        return JSON.object(answer).encoded()
    }
}
