#if canImport(PassKit)
import Foundation
public import PassKit
public import PayrelayAPI
#if canImport(Contacts)
import Contacts
#endif

extension AppleToken {
    /// Creates the token of an authorized payment, for ``RelayClient/pay(_:with:within:)``.
    ///
    /// ```swift
    /// let result = try await client.pay(order, with: try AppleToken(payment))
    /// ```
    ///
    /// - Throws: `AppleTokenError` if `paymentData` is not empty and is not Apple's JSON.
    public init(_ payment: PKPayment) throws(AppleTokenError) {
        try self.init(payment.token)
    }

    /// Creates a token from the members of PassKit's token. The iOS Simulator's token has no `paymentData`; only
    /// `payrelay-dev` accepts it.
    ///
    /// - Throws: `AppleTokenError` if `paymentData` is not empty and is not Apple's JSON.
    public init(_ token: PKPaymentToken) throws(AppleTokenError) {
        try self.init(
            paymentData: [UInt8](token.paymentData), displayName: token.paymentMethod.displayName,
            network: token.paymentMethod.network?.rawValue, methodType: token.paymentMethod.type.word,
            transactionIdentifier: token.transactionIdentifier)
    }
}

extension PKPaymentMethodType {
    /// The type under its name in Apple Pay JS; `nil` if Apple Pay JS has no name for it.
    var word: String? {
        switch self {
        case .debit: "debit"
        case .credit: "credit"
        case .prepaid: "prepaid"
        case .store: "store"
        default: nil
        }
    }
}

extension SheetContact {
    init(_ payment: PKPayment) {
        let contact = payment.shippingContact
        emailAddress = contact?.emailAddress
        phoneNumber = contact?.phoneNumber?.stringValue
        let names = [contact?.name?.givenName, contact?.name?.middleName, contact?.name?.familyName]
        name = names.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension SheetAddress {
    init(_ contact: PKContact) {
        let address = contact.postalAddress
        countryCode = address?.isoCountryCode ?? ""
        state = address?.state ?? ""
        city = address?.city ?? ""
        postalCode = address?.postalCode ?? ""
    }
}

extension PKPaymentRequest {
    /// The contact fields that the sheet requests from the customer.
    var contactFields: Set<SheetContactField> {
        Set(SheetContactField.allCases.filter { requiredShippingContactFields.contains($0.contactField) })
    }
}

extension SheetContactField {
    var contactField: PKContactField {
        switch self {
        case .emailAddress: .emailAddress
        case .name: .name
        case .phoneNumber: .phoneNumber
        }
    }
}

extension PKPaymentAuthorizationResult {
    /// Converts a result to PassKit's. The sheet shows a failure without errors as "Payment Not Completed".
    public convenience init(_ result: SheetResult) {
        switch result {
        case .success: self.init(status: .success, errors: nil)
        case .failureWithoutRetry: self.init(status: .failure, errors: nil)
        case .failure(let errors):
            self.init(
                status: .failure,
                errors: errors.map { error in
                    PKPaymentRequest.paymentContactInvalidError(
                        withContactField: error.field.contactField, localizedDescription: error.text)
                })
        }
    }
}
#endif
