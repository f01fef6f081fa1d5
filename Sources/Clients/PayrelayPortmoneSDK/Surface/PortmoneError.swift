public import Foundation
import PayrelayPrimitives

/// An error of the SDK: a code of Portmone's page "Masterpass iOS SDK", section 8, or a server's own code.
///
/// `(error as NSError?)?.code` is the code, and `localizedDescription` is the text.
public struct PortmoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code. 2000 to 2018 are errors of the SDK; 2100 to 2114 and 2200 are errors of Masterpass. A server may
    /// send other codes.
    public let code: Int
    /// The text that Portmone published, or the server's text for a code without a published text.
    public let text: String
    /// Further information, such as the name of the invalid field, if there is any.
    public let detail: String?

    /// Creates an error with this code.
    ///
    /// - Parameter detail: a text for people. It must not contain a card number, a code or a key.
    public init(code: Int, detail: String? = nil) {
        let published = Self.published.first { $0.code == code }?.text
        self.init(code, published ?? detail ?? "Portmone server error.", published == nil ? nil : detail)
    }

    private init(_ code: Int, _ text: String, _ detail: String? = nil) {
        self.code = code
        self.text = text
        self.detail = detail
    }

    /// The text, followed by the detail.
    public var description: String { detail.map { "\(text) (\($0))" } ?? text }

    /// Returns the same error with a detail.
    func with(_ detail: String) -> PortmoneError { PortmoneError(code, text, detail) }
}

extension PortmoneError: LocalizedError, CustomNSError {
    /// The error domain of the `NSError`.
    public static var errorDomain: String { "PortmoneSDK" }

    /// The error's ``code``.
    public var errorCode: Int { code }

    /// The dictionary with the localized description.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    /// The error's ``description``.
    public var errorDescription: String? { description }
}

extension PortmoneError {
    /// 2000: a call was made before ``AuthorizationService/authorize(phone:userId:completion:)`` succeeded.
    public static let notAuthorized = PortmoneError(
        2000, "Authorization error. Please call AuthorizationService#authorize() before.")
    /// 2004: the amount is negative, or is not an amount of money.
    public static let invalidAmount = PortmoneError(2004, "Bill amount cannot be less than 0.")
    /// 2005: the phone number is not `380` and nine digits.
    public static let phoneInvalid = PortmoneError(2005, "Phone number is invalid.")
    /// 2006: the phone number is empty.
    public static let phoneEmpty = PortmoneError(2006, "Phone number cannot be empty.")
    /// 2007: the transaction is not from `proceedPayment`, or is from another authorization.
    public static let notFromProceedPayment = PortmoneError(
        2007, "Transaction object is not valid. Please use transaction from proceedPayment() call.")
    /// 2008: the transaction is not from `getCommission`, or is from another authorization.
    public static let notFromGetCommission = PortmoneError(
        2008, "Transaction object is not valid. Please use transaction from getCommission() call.")
    /// 2009: the verification code is empty.
    public static let verificationCodeEmpty = PortmoneError(2009, "Verification code cannot be empty.")
    /// 2010: the identifier of the company is empty.
    public static let payeeIdEmpty = PortmoneError(2010, "PayeeId cannot be empty.")
    /// 2011: the contract number is empty.
    public static let contractNumberEmpty = PortmoneError(2011, "Contract number cannot be empty.")
    /// 2012: the user's identifier is empty.
    public static let userIdEmpty = PortmoneError(2012, "User id cannot be empty.")
    /// 2013: the company cannot be paid here, because it is unknown or its customers are redirected.
    public static let noGateType = PortmoneError(
        2013, "No gate type found for this payee. Payment cannot be proceeded!")
    /// 2014: the transaction is not from `startVerify2dCard`, or is from another authorization.
    public static let notFromStartVerify = PortmoneError(
        2014, "Transaction object is not valid. Please use transaction from startVerify2dCard() call.")
    /// 2015: the card's security code is empty.
    public static let cvvEmpty = PortmoneError(2015, "CVV cannot be empty.")
    /// 2016: `PortmoneSDK(merchantKey:clientId:)` was not called before.
    public static let notInitialized = PortmoneError(
        2016, "Initialized params cannot be empty. Please call initialize method")
    /// 2017: the merchant's login is empty.
    public static let merchantLoginEmpty = PortmoneError(2017, "Merchant login cannot be empty.")
    /// 2018: the card could not be verified.
    public static let cardVerification = PortmoneError(2018, "Card verification error.")
    /// 2100: an internal error.
    public static let `internal` = PortmoneError(2100, "Internal Error")
    /// 2101: there was no response. A payment may have been made: repeat the call with the same transaction.
    public static let connection = PortmoneError(2101, "Connection Error")
    /// 2102: the card number is empty.
    public static let cardNumberEmpty = PortmoneError(2102, "Card Number is empty")
    /// 2103: the card number is invalid.
    public static let cardNumberInvalid = PortmoneError(2103, "Card Number is invalid")
    /// 2104: the card's security code is empty.
    public static let cvc2Empty = PortmoneError(2104, "CVV/CVC2 is empty")
    /// 2105: the card's security code is invalid.
    public static let cvc2Invalid = PortmoneError(2105, "CVV/CVC2 is invalid")
    /// 2106: the card's name is empty.
    public static let cardNameEmpty = PortmoneError(2106, "Card Name is empty")
    /// 2107: the one-time code is empty.
    public static let validationCodeEmpty = PortmoneError(2107, "Validation Code is empty")
    /// 2108: the one-time code is invalid.
    public static let validationCodeInvalid = PortmoneError(2108, "Validation Code is invalid")
    /// 2109: the URL of the 3-D Secure page is empty.
    public static let pageEmpty = PortmoneError(2109, "3D URL is empty")
    /// 2110: the customer did not confirm the payment on the 3-D Secure page.
    public static let pageNotValidated = PortmoneError(2110, "3D Secure is not validated")
    /// 2111: the terms and conditions were not accepted.
    public static let termsNotAccepted = PortmoneError(2111, "Terms & Condition checkbox is not selected")
    /// 2112: the expiry date is invalid, which includes an invalid month.
    public static let expiryInvalid = PortmoneError(2112, "Expire Year is invalid")
    /// 2113: call `validateCode` with the code that the card's bank sent.
    public static let bankCodeRequired = PortmoneError(2113, "OTP sending card's Bank is required.")
    /// 2114: call `validateCode` with the code that Masterpass sent to the phone.
    public static let phoneCodeRequired = PortmoneError(
        2114, "MasterPass OTP is required for phone number validation.")
    /// 2200: an error of the Masterpass service, or a response that cannot be read.
    public static let server = PortmoneError(2200, "Masterpass service server error.")

    /// Every error that the page lists, sorted by code.
    public static let published: [PortmoneError] = [
        notAuthorized, invalidAmount, phoneInvalid, phoneEmpty, notFromProceedPayment, notFromGetCommission,
        verificationCodeEmpty, payeeIdEmpty, contractNumberEmpty, userIdEmpty, noGateType, notFromStartVerify, cvvEmpty,
        notInitialized, merchantLoginEmpty, cardVerification, .internal, connection, cardNumberEmpty,
        cardNumberInvalid, cvc2Empty, cvc2Invalid, cardNameEmpty, validationCodeEmpty, validationCodeInvalid,
        pageEmpty, pageNotValidated, termsNotAccepted, expiryInvalid, bankCodeRequired, phoneCodeRequired, server,
    ]
}
