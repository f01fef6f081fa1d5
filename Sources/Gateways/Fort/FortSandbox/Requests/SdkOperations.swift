import FortAPI
import FoundationEssentials
import PayrelayPrimitives
public import SandboxParts

extension FortSandbox {
    /// Issues a token with which FORT's mobile SDK pays; see ``replyToSdk(_:)``.
    func sdkToken(_ parameters: JSONObject) async throws(FailureResponse) -> JSONObject {
        let texts = try SandboxParameters(
            parameters, of: .sdkToken, mandatory: FortField.ofSdkToken.filter(\.isMandatory).map(\.name), optional: []
        ).texts
        let token = UUID().uuidString.replacingEach("-", with: "")
        await books.issue(
            sdkToken: token,
            .init(
                accessCode: texts["access_code"] ?? "", deviceID: texts["device_id"] ?? "", issuedAt: now()))
        var response = parameters.echoed()
        response["sdk_token"] = .string(token)
        let success = FortCommand.sdkToken.successCode
        return response.adding(status: success.status, message: success.message)
    }

    /// Answers a request of FORT's mobile SDK, unless a fault applies. The request is not signed, because the SDK
    /// has no phrase. It is authenticated by the SDK token, which the merchant's backend requested.
    public func replyToSdk(_ body: [UInt8]) async -> Reply {
        guard let parameters = (try? JSON(parsing: body))?.objectValue else {
            return reply(FailureResponse(status: "00", message: "073").response(to: [:]), struckBy: nil)
        }
        let rule = rule(for: parameters.fortCommand)
        if let reply = rule?.fault.replyToDropped { return reply }
        do throws(FailureResponse) {
            guard let answer = try await chargeThroughSdk(parameters) else { return .silence }
            return reply(answer, struckBy: rule)
        } catch {
            return reply(error.response(to: parameters), struckBy: rule)
        }
    }

    /// Carries out a charge of FORT's mobile SDK.
    ///
    /// - Returns: the unsigned answer; `nil` if no answer is sent.
    private func chargeThroughSdk(_ sent: JSONObject) async throws(FailureResponse) -> JSONObject? {
        guard let command = sent.fortCommand, command == .authorization || command == .purchase else {
            throw FailureResponse(status: "00", message: "004")
        }
        guard let token = sent["sdk_token"]?.stringValue, !token.isEmpty else {
            throw FailureResponse(status: "00", message: "001")
        }
        let moment = now()
        guard let issue = await books.issue(ofSdkToken: token, at: moment),
            let account = accounts.entry(identifiedBy: issue.accessCode)?.account
        else { throw Self.sdkTokenRefused }
        // The SDK token decides to which account and device the order belongs. If the request names them too, it
        // must name the same.
        var parameters = sent
        for (name, value) in [
            ("access_code", account.accessCode), ("merchant_identifier", account.merchantIdentifier),
            ("device_id", issue.deviceID),
        ] {
            guard name != "device_id" || sent[name] != nil else { throw FailureResponse(status: "00", message: "001") }
            guard sent[name] ?? .string(value) == .string(value) else { throw Self.sdkTokenRefused }
            parameters[name] = .string(value)
        }
        let card = await savedCard(in: parameters, of: account)
        var charge = try SandboxCharge(sdk: parameters, command: command, token: token, card: card, for: account)
        // The card was looked up before the check of the parameters, because they depend on its scheme. A missing
        // card is reported only after that check.
        guard card != nil || charge.tokenName == nil else {
            throw FailureResponse(status: command.failureStatus, message: "044")
        }
        guard await !books.noteRepetition(of: charge.merchantReference) else {
            throw FailureResponse(status: command.failureStatus, message: "007")
        }
        if charge.hasAppleToken {
            try charge.holdAgainstToken(of: pki, signedSince: moment.addingTimeInterval(-tokenLifetime))
        }
        let orders = try await books.enter(charge, at: moment)
        guard let order = orders.first else { return nil }
        var answered = parameters.without("device_id")
        if charge.remembersCard, charge.tokenName == nil, order.isCharged {
            answered["token_name"] = .string(
                await books.saveCard(of: order, cardHolderName: charge.customerName).name)
        }
        for order in orders { sender.send(order.feedback(on: answered)) { signed($0) } }
        return order.outcome == .silent ? nil : order.response(to: answered, order.outcome)
    }

    /// Returns the stored card that a request names; `nil` if it names none, or none that belongs to the
    /// merchant.
    func savedCard(in parameters: JSONObject, of account: FortAccount) async -> SandboxToken? {
        guard let name = parameters["token_name"]?.stringValue else { return nil }
        return await books.savedCard(named: name, of: account.merchantIdentifier)
    }

    /// FORT's answer to an unknown, used or expired token is not public. The sandbox uses FORT's message for
    /// "invalid transaction source".
    static let sdkTokenRefused = FailureResponse(status: "00", message: "040")
}

extension JSONObject {
    fileprivate func without(_ name: String) -> JSONObject {
        filter { $0.name != name }
    }
}

/// The SDK tokens that were issued and not used yet. Each is valid for one hour and one transaction (mobile SDK
/// guide).
struct SandboxSdkTokens {
    /// The access code and the device for which a token was issued, and the time of issue.
    struct Issue: Equatable {
        let accessCode: String
        let deviceID: String
        let issuedAt: Date
    }

    private let limit: Int
    private var issues: [String: Issue] = [:]
    /// The tokens in the order of their issue. Used tokens stay in the list until they are the oldest.
    private var order: [String] = []

    /// The validity of a token in seconds.
    static let lifetime = 3_600.0

    /// - Parameter limit: the maximum number of remembered tokens. If there are more, the oldest tokens are
    ///   forgotten, as if they had expired.
    init(limit: Int = 100_000) {
        self.limit = limit
    }

    mutating func issue(_ token: String, _ issue: Issue) {
        issues[token] = issue
        order.append(token)
        guard order.count > limit else { return }
        // A quarter of the limit is removed at once, because each removal moves all remaining elements.
        let forgotten = order.prefix(order.count - limit / 2 - limit / 4)
        for token in forgotten { issues[token] = nil }
        order.removeFirst(forgotten.count)
    }

    /// Returns the issue of a token; `nil` if the token is unknown, used or expired.
    func issue(of token: String, at moment: Date) -> Issue? {
        issues[token].flatMap { moment.timeIntervalSince($0.issuedAt) < Self.lifetime ? $0 : nil }
    }

    /// Invalidates a token after its use.
    mutating func use(_ token: String) { issues[token] = nil }
}
