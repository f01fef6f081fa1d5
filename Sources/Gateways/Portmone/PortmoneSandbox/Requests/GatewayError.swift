/// The reason why the sandbox does not carry out a request.
///
/// Portmone's list of error codes is not public. The codes 1, 5 and 6 are from published answers of its older
/// interface. The other codes are the sandbox's, beginning with 100.
enum GatewayError: Error, Equatable {
    case notPaid
    case wrongStatus
    case notFound
    case malformed
    case unknownMethod
    case wrongCredentials
    case unknownPayee
    case missing(String)
    case unexpected(String)
    case invalid(String)
    case notAnExactDecimal(String)
    case currencyNotThePayees
    case anotherAppleMerchant
    case noPreauthorization
    case notAToken
    case tokenUsed
    case tokenExpired
    case tokenForAnotherAmount
    case tokenForAnotherCurrency
    case wrongSignature
    case moreThanHeld
    case moreThanPaid
    case tooManyReturns
    case technicalProblem
    case declined(PortmoneOutcome.Decline)

    /// Portmone's `errorCode`, as digits.
    var code: String {
        switch self {
        case .notPaid: "1"
        case .wrongStatus: "5"
        case .notFound: "6"
        case .malformed: "100"
        case .unknownMethod: "101"
        case .wrongCredentials: "102"
        case .unknownPayee: "103"
        case .missing: "104"
        case .unexpected: "105"
        case .invalid: "106"
        case .notAnExactDecimal: "107"
        case .currencyNotThePayees: "108"
        case .anotherAppleMerchant: "109"
        case .noPreauthorization: "110"
        case .notAToken: "111"
        case .tokenUsed: "112"
        case .tokenExpired: "113"
        case .tokenForAnotherAmount: "114"
        case .tokenForAnotherCurrency: "115"
        case .wrongSignature: "116"
        case .moreThanHeld: "117"
        case .moreThanPaid: "118"
        case .tooManyReturns: "119"
        case .technicalProblem: "120"
        case .declined(let decline): decline.rawValue
        }
    }

    /// The text of the error. It names members, but never contains a value.
    var text: String {
        switch self {
        case .notPaid: "the bill is not paid"
        case .wrongStatus: "the bill's status does not allow it"
        case .notFound: "there is no such bill, or it is cancelled already"
        case .malformed: "the body is not a request: an object with method, params.data and id"
        case .unknownMethod: "there is no such method here"
        case .wrongCredentials: "the login or the password is wrong"
        case .unknownPayee: "there is no such payee"
        case .missing(let name): "\(name) is missing"
        case .unexpected(let name): "\(name) is not a member of this request"
        case .invalid(let name): "\(name) is invalid"
        case .notAnExactDecimal(let name): "\(name) is not an exact decimal of the currency"
        case .currencyNotThePayees: "the payee is not paid in this currency"
        case .anotherAppleMerchant: "aPayMerchantName is not the payee's"
        case .noPreauthorization: "the payee may not preauthorize"
        case .notAToken: "paymentData is not a token that can be opened"
        case .tokenUsed: "the token has been used"
        case .tokenExpired: "the token is too old"
        case .tokenForAnotherAmount: "the token is for another amount"
        case .tokenForAnotherCurrency: "the token is for another currency"
        case .wrongSignature: "the signature is wrong"
        case .moreThanHeld: "the amount is more than is held"
        case .moreThanPaid: "the amount is more than is left of what was paid"
        case .tooManyReturns: "the bill has too many returns"
        case .technicalProblem: "technical problem"
        case .declined(let decline): decline.text
        }
    }
}
