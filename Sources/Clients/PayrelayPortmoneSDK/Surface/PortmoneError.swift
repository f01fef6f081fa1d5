public import Foundation
import PayrelayPrimitives

/// An error of the SDK: a code of Portmone's page "Masterpass iOS SDK", section 8, or a server's own.
///
/// `(error as NSError?)?.code` is the code, and `localizedDescription` the text.
public struct PortmoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// 2000 to 2018 are the SDK's own, 2100 to 2114 and 2200 are Masterpass's; a server may send others.
    public let code: Int
    /// The published text, or that of the server for a code that is not published.
    public let text: String
    /// More than the published text says, where there is more to say: which field is wrong, for example.
    public let detail: String?

    /// An error with this code.
    ///
    /// - Parameter detail: for people. It must hold no card number, no code and no key.
    public init(code: Int, detail: String? = nil) {
        let published = Self.published.first { $0.code == code }?.text
        self.init(code, published ?? detail ?? "Portmone server error.", published == nil ? nil : detail)
    }

    private init(_ code: Int, _ text: String, _ detail: String? = nil) {
        self.code = code
        self.text = text
        self.detail = detail
    }

    /// The text, and the detail behind it.
    public var description: String { detail.map { "\(text) (\($0))" } ?? text }

    /// The same error with a detail.
    func with(_ detail: String) -> PortmoneError { PortmoneError(code, text, detail) }
}

extension PortmoneError: LocalizedError, CustomNSError {
    /// The domain of the error as an `NSError`.
    public static var errorDomain: String { "PortmoneSDK" }

    /// ``code``.
    public var errorCode: Int { code }

    /// The localized description.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    /// ``description``.
    public var errorDescription: String? { description }
}

extension PortmoneError {
    /// 2000: a call before ``AuthorizationService/authorize(phone:userId:completion:)`` succeeded.
    public static let notAuthorized = PortmoneError(
        2000, "Authorization error. Please call AuthorizationService#authorize() before.")
    /// 2004: an amount that is negative, or that is no amount of money.
    public static let invalidAmount = PortmoneError(2004, "Bill amount cannot be less than 0.")
    /// 2005: not `380` and nine digits.
    public static let phoneInvalid = PortmoneError(2005, "Phone number is invalid.")
    /// 2006.
    public static let phoneEmpty = PortmoneError(2006, "Phone number cannot be empty.")
    /// 2007: a transaction of another call than `proceedPayment`, or of another authorization.
    public static let notFromProceedPayment = PortmoneError(
        2007, "Transaction object is not valid. Please use transaction from proceedPayment() call.")
    /// 2008: a transaction of another call than `getCommission`, or of another authorization.
    public static let notFromGetCommission = PortmoneError(
        2008, "Transaction object is not valid. Please use transaction from getCommission() call.")
    /// 2009.
    public static let verificationCodeEmpty = PortmoneError(2009, "Verification code cannot be empty.")
    /// 2010.
    public static let payeeIdEmpty = PortmoneError(2010, "PayeeId cannot be empty.")
    /// 2011.
    public static let contractNumberEmpty = PortmoneError(2011, "Contract number cannot be empty.")
    /// 2012.
    public static let userIdEmpty = PortmoneError(2012, "User id cannot be empty.")
    /// 2013: the company cannot be paid here: it is not known, or its customers are redirected.
    public static let noGateType = PortmoneError(
        2013, "No gate type found for this payee. Payment cannot be proceeded!")
    /// 2014: a transaction of another call than `startVerify2dCard`, or of another authorization.
    public static let notFromStartVerify = PortmoneError(
        2014, "Transaction object is not valid. Please use transaction from startVerify2dCard() call.")
    /// 2015.
    public static let cvvEmpty = PortmoneError(2015, "CVV cannot be empty.")
    /// 2016: no `PortmoneSDK(merchantKey:clientId:)` before.
    public static let notInitialized = PortmoneError(
        2016, "Initialized params cannot be empty. Please call initialize method")
    /// 2017.
    public static let merchantLoginEmpty = PortmoneError(2017, "Merchant login cannot be empty.")
    /// 2018.
    public static let cardVerification = PortmoneError(2018, "Card verification error.")
    /// 2100.
    public static let `internal` = PortmoneError(2100, "Internal Error")
    /// 2101: no answer. A payment may have been made: ask again with the same transaction.
    public static let connection = PortmoneError(2101, "Connection Error")
    /// 2102.
    public static let cardNumberEmpty = PortmoneError(2102, "Card Number is empty")
    /// 2103.
    public static let cardNumberInvalid = PortmoneError(2103, "Card Number is invalid")
    /// 2104.
    public static let cvc2Empty = PortmoneError(2104, "CVV/CVC2 is empty")
    /// 2105.
    public static let cvc2Invalid = PortmoneError(2105, "CVV/CVC2 is invalid")
    /// 2106.
    public static let cardNameEmpty = PortmoneError(2106, "Card Name is empty")
    /// 2107.
    public static let validationCodeEmpty = PortmoneError(2107, "Validation Code is empty")
    /// 2108.
    public static let validationCodeInvalid = PortmoneError(2108, "Validation Code is invalid")
    /// 2109.
    public static let pageEmpty = PortmoneError(2109, "3D URL is empty")
    /// 2110.
    public static let pageNotValidated = PortmoneError(2110, "3D Secure is not validated")
    /// 2111.
    public static let termsNotAccepted = PortmoneError(2111, "Terms & Condition checkbox is not selected")
    /// 2112: also for a month that is none.
    public static let expiryInvalid = PortmoneError(2112, "Expire Year is invalid")
    /// 2113: call `validateCode` with the code that the card's bank sent.
    public static let bankCodeRequired = PortmoneError(2113, "OTP sending card's Bank is required.")
    /// 2114: call `validateCode` with the code that Masterpass sent to the phone.
    public static let phoneCodeRequired = PortmoneError(
        2114, "MasterPass OTP is required for phone number validation.")
    /// 2200: also an answer that cannot be read.
    public static let server = PortmoneError(2200, "Masterpass service server error.")

    /// Every error that the page lists, by ascending code.
    public static let published: [PortmoneError] = [
        notAuthorized, invalidAmount, phoneInvalid, phoneEmpty, notFromProceedPayment, notFromGetCommission,
        verificationCodeEmpty, payeeIdEmpty, contractNumberEmpty, userIdEmpty, noGateType, notFromStartVerify, cvvEmpty,
        notInitialized, merchantLoginEmpty, cardVerification, .internal, connection, cardNumberEmpty,
        cardNumberInvalid, cvc2Empty, cvc2Invalid, cardNameEmpty, validationCodeEmpty, validationCodeInvalid,
        pageEmpty, pageNotValidated, termsNotAccepted, expiryInvalid, bankCodeRequired, phoneCodeRequired, server,
    ]
}
