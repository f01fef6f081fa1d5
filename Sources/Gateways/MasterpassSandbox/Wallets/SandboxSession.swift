import PayrelayPrimitives

/// An authorization of a user.
struct SandboxSession: Sendable {
    /// Action that follows when all codes are validated.
    enum Pending: Sendable {
        case linking
        case adding(SandboxCard)
    }

    let phone: String
    let clientId: String
    let fault: SandboxFault?
    /// False until the wallet is linked: then nothing but `validateCode` is allowed.
    var isAuthorized: Bool
    var pending: Pending?
    /// Which codes are still to come.
    var codes: [SandboxCode] = []
    var triesLeft = SandboxCode.tries
}

/// A user id `fail-CALL-CODE` makes this call of the user fail with this code.
struct SandboxFault: Sendable, Equatable {
    let call: SandboxCall
    let code: Int

    /// Nil where the user id is another one.
    init?(userId: String) {
        let parts = userId.parts(at: "-")
        guard parts.count == 3, parts[0].isExactly("fail"), let call = SandboxCall(rawValue: String(parts[1])),
            (1...6).contains(parts[2].utf8.count), parts[2].utf8.allSatisfy(\.isASCIIDigit), let code = Int(parts[2]),
            code > 0
        else { return nil }
        self.call = call
        self.code = code
    }
}
