import PayrelayPrimitives

/// An authorization of a user.
struct SandboxSession: Sendable {
    /// The action that follows when all codes are validated.
    enum Pending: Sendable {
        case linking
        case adding(SandboxCard)
    }

    let phone: String
    let clientId: String
    let fault: SandboxFault?
    /// Whether the wallet is linked. Until then only `validateCode` is allowed.
    var isAuthorized: Bool
    var pending: Pending?
    /// The codes that the customer still has to enter.
    var codes: [SandboxCode] = []
    var triesLeft = SandboxCode.tries
}

/// A fault for tests. The user id `fail-CALL-CODE` makes this call of the user fail with this code.
struct SandboxFault: Sendable, Equatable {
    let call: SandboxCall
    let code: Int

    /// Reads a fault; `nil` if the user id does not name one.
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
