/// A call of the sandbox's protocol: `POST /masterpass/NAME`. All except the last have the names of the SDK's
/// methods.
public enum SandboxCall: String, CaseIterable, Sendable {
    case authorize
    case validateCode
    case getMasterpassCards
    case addMasterpassCard
    case deleteMasterpassCard
    case getPayees
    case getCommission
    case proceedPayment
    case startVerify2dCard
    case finishVerify2dCard
    /// Returns the result of a payment that was verified on its 3-D Secure page.
    case getVerification3d

    /// The names of the members that a request may have, in addition to `session`.
    var fields: Set<String> {
        switch self {
        case .authorize: ["merchantKey", "clientId", "phone", "userId"]
        case .validateCode: ["code"]
        case .getMasterpassCards, .getPayees: []
        case .addMasterpassCard: ["cardName", "cardNumber", "expireMonth", "expireYear", "cvv"]
        case .deleteMasterpassCard: ["cardName"]
        case .getCommission:
            ["cardName", "cardBin", "billAmount", "merchantLogin", "billNumber", "payeeId", "phoneNumber"]
        case .proceedPayment:
            ["payment", "contractNumber", "attribute1", "attribute2", "attribute3", "attribute4", "emailAddress"]
        case .startVerify2dCard: ["payment", "cvv2"]
        case .finishVerify2dCard: ["payment", "verificationCode"]
        case .getVerification3d: ["payment"]
        }
    }
}
