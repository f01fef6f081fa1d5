public import Foundation

open class PKPayment: NSObject {
    public let token: PKPaymentToken
    public let shippingContact: PKContact?

    public init(token: PKPaymentToken, shippingContact: PKContact? = nil) {
        self.token = token
        self.shippingContact = shippingContact
    }
}

open class PKPaymentToken: NSObject {
    public let paymentMethod: PKPaymentMethod
    public let transactionIdentifier: String
    public let paymentData: Data

    public init(paymentMethod: PKPaymentMethod, transactionIdentifier: String, paymentData: Data) {
        self.paymentMethod = paymentMethod
        self.transactionIdentifier = transactionIdentifier
        self.paymentData = paymentData
    }
}

open class PKPaymentMethod: NSObject {
    public let displayName: String?
    public let network: PKPaymentNetwork?
    public let type: PKPaymentMethodType

    public init(displayName: String?, network: PKPaymentNetwork?, type: PKPaymentMethodType) {
        self.displayName = displayName
        self.network = network
        self.type = type
    }
}

public enum PKPaymentMethodType: UInt, CaseIterable, Sendable {
    case unknown
    case debit
    case credit
    case prepaid
    case store
    case eMoney
}

open class PKContact: NSObject {
    public var name: PersonNameComponents?
    public var emailAddress: String?
    public var phoneNumber: CNPhoneNumber?
    public var postalAddress: CNPostalAddress?
}

/// An address, from Apple's framework Contacts.
open class CNPostalAddress: NSObject {
    public let street: String
    public let city: String
    public let state: String
    public let postalCode: String
    public let isoCountryCode: String

    public init(street: String, city: String, state: String, postalCode: String, isoCountryCode: String) {
        self.street = street
        self.city = city
        self.state = state
        self.postalCode = postalCode
        self.isoCountryCode = isoCountryCode
    }
}

/// A phone number, from Apple's framework Contacts.
open class CNPhoneNumber: NSObject {
    public let stringValue: String

    public init(stringValue: String) { self.stringValue = stringValue }
}
