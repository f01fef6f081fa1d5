import ApplePayToken
import FortAPI
import FortProcessor
import Foundation
import OrderedJSON
import OutboundHTTP
import TokenMint

/// A FORT that answers as told, in place of the network.
struct ScriptedFort: FortTransport {
    static let account: FortAccount? = try? FortAccount(
        accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("REQ"),
        responsePhrase: Secret("RES"))

    let json: JSON
    let token: PaymentToken
    private let reply: @Sendable (JSONObject) -> Result<[UInt8], OutboundFailure>

    init(_ reply: @escaping @Sendable (JSONObject) -> Result<[UInt8], OutboundFailure>) throws {
        json = try TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date())
        token = try PaymentToken(json: json)
        self.reply = reply
    }

    var processor: FortProcessor {
        // swift-format-ignore: NeverForceUnwrap
        // Safe: the account is made of constants within FORT's limits.
        FortProcessor(
            client: FortClient(account: Self.account!, endpoint: .test, transport: self), timeout: .seconds(1))
    }

    func post(
        _ body: [UInt8], to endpoint: FortEndpoint, timeout: Duration
    ) async throws(OutboundFailure) -> (status: Int, body: [UInt8]) {
        let sent = (try? JSON(parsing: body))?.objectValue ?? [:]
        return (200, try reply(sent).get())
    }
}

extension JSONObject {
    /// The request sent back with more members, signed as FORT signs.
    func answered(_ more: JSONObject) -> [UInt8] {
        var answer = JSONObject(members.filter { !$0.name.hasPrefix("apple_") }.map { ($0.name, $0.value) })
        answer["signature"] = nil
        for member in more.members { answer[member.name] = member.value }
        if let account = ScriptedFort.account {
            let signature = FortSignature(of: answer, phrase: account.responsePhrase, type: account.signatureType)
            answer["signature"] = .string(signature.hexadecimal)
        }
        return JSON.object(answer).encoded()
    }
}
