import FortAPI
import FoundationEssentials
import Primitives

extension FortSandbox {
    /// A token for FORT's mobile SDK, which pays with it: ``replyToSdk(_:)``.
    func sdkToken(_ parameters: JSONObject) async throws(SandboxRefusal) -> JSONObject {
        let texts = try SandboxParameters(parameters, of: .sdkToken, mandatory: ["device_id"], optional: []).texts
        let token = UUID().uuidString.filter { $0 != "-" }
        await books.issue(
            sdkToken: token,
            .init(
                accessCode: texts["access_code"] ?? "", deviceID: texts["device_id"] ?? "", issuedAt: now()))
        var response = parameters.echoed()
        response["sdk_token"] = .string(token)
        let success = FortCommand.sdkToken.successCode
        return response.adding(status: success.status, message: success.message)
    }

    /// Takes one request of FORT's mobile SDK, unless a fault strikes it. It is not signed, because the SDK has no
    /// phrase: the SDK token, which the merchant's backend asked for, authenticates it.
    public func replyToSdk(_ body: [UInt8]) async -> Reply {
        await books.keep(lastRequest: body)
        guard let parameters = (try? JSON(parsing: body))?.objectValue else {
            return reply(SandboxRefusal(status: "00", message: "073").response(to: [:]), struckBy: nil)
        }
        let rule = rule(for: parameters.fortCommand)
        guard rule?.fault.isCarriedOut ?? true else { return rule?.fault == .http500 ? .failure : .silence }
        do throws(SandboxRefusal) {
            guard let answer = try await chargeThroughSdk(parameters) else { return .silence }
            return reply(answer, struckBy: rule)
        } catch {
            return reply(error.response(to: parameters), struckBy: rule)
        }
    }

    /// - Returns: nil where there is no answer.
    private func chargeThroughSdk(_ sent: JSONObject) async throws(SandboxRefusal) -> JSONObject? {
        guard let command = sent.fortCommand, command == .authorization || command == .purchase else {
            throw SandboxRefusal(status: "00", message: "004")
        }
        guard let token = sent["sdk_token"]?.stringValue, !token.isEmpty else {
            throw SandboxRefusal(status: "00", message: "001")
        }
        let moment = now()
        guard let issue = await books.issue(ofSdkToken: token, at: moment),
            let account = accounts.entry(accessCode: issue.accessCode)?.account
        else { throw Self.sdkTokenRefused }
        // Whose order it is says the token. Where the request says it too, it must say the same.
        var parameters = sent
        for (name, value) in [
            ("access_code", account.accessCode), ("merchant_identifier", account.merchantIdentifier),
            ("device_id", issue.deviceID),
        ] {
            guard name != "device_id" || sent[name] != nil else { throw SandboxRefusal(status: "00", message: "001") }
            guard sent[name] ?? .string(value) == .string(value) else { throw Self.sdkTokenRefused }
            parameters[name] = .string(value)
        }
        let charge = try SandboxCharge(sdk: parameters, command: command, token: token)
        guard await !books.noteRepetition(of: charge.merchantReference) else {
            throw SandboxRefusal(status: command.failureStatus, message: "007")
        }
        if charge.hasAppleToken {
            try charge.holdAgainstToken(of: pki, signedSince: moment.addingTimeInterval(-tokenLifetime))
        }
        let order = try await books.enter(charge, at: moment)
        let told = parameters.without("device_id")
        sender.send(order.feedback(on: told)) { signed($0) }
        return order.outcome == .silent ? nil : order.response(to: told, order.outcome)
    }

    /// What FORT answers to a token that is none, was used or has expired is not public. This is its text for "invalid
    /// transaction source".
    static let sdkTokenRefused = SandboxRefusal(status: "00", message: "040")
}

extension JSONObject {
    fileprivate func without(_ name: String) -> JSONObject {
        filter { $0.name != name }
    }
}
