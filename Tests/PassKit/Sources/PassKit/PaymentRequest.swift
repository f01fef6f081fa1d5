public import Foundation

// The parts of Apple's PassKit that the client library uses, with Apple's names, for tests on Linux. The source is Apple's
// documentation.

open class PKPaymentRequest: NSObject {
    public var merchantIdentifier = ""
    public var countryCode = ""
    public var currencyCode = ""
    public var merchantCapabilities: PKMerchantCapability = []
    public var supportedNetworks: [PKPaymentNetwork] = []
    public var paymentSummaryItems: [PKPaymentSummaryItem] = []
    public var requiredShippingContactFields: Set<PKContactField> = []
    public var shippingMethods: [PKShippingMethod]?
    public var supportsCouponCode = false
    public var couponCode: String?
    public var applicationData: Data?

    public static func paymentContactInvalidError(
        withContactField field: PKContactField, localizedDescription: String?
    ) -> any Error {
        PaymentContactInvalidError(field: field, localizedDescription: localizedDescription)
    }

    public static func paymentShippingAddressUnserviceableError(
        withLocalizedDescription localizedDescription: String?
    ) -> any Error {
        PaymentContactInvalidError(field: .postalAddress, localizedDescription: localizedDescription)
    }

    public static func paymentCouponCodeInvalidError(localizedDescription: String?) -> any Error {
        PaymentCouponCodeInvalidError(localizedDescription: localizedDescription)
    }
}

/// An error of this stand-in, which tests look at.
public struct PaymentCouponCodeInvalidError: Error, Hashable {
    public let localizedDescription: String?
}

/// An error of this stand-in, which tests look at.
public struct PaymentContactInvalidError: Error, Hashable {
    public let field: PKContactField
    public let localizedDescription: String?

    public init(field: PKContactField, localizedDescription: String?) {
        self.field = field
        self.localizedDescription = localizedDescription
    }
}

open class PKPaymentSummaryItem: NSObject {
    public let label: String
    public let amount: NSDecimalNumber
    public let type: PKPaymentSummaryItemType

    public init(label: String, amount: NSDecimalNumber, type: PKPaymentSummaryItemType = .final) {
        self.label = label
        self.amount = amount
        self.type = type
    }
}

public enum PKPaymentSummaryItemType: UInt, Sendable {
    case final
    case pending
}

public struct PKPaymentNetwork: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let mada = Self(rawValue: "Mada")
    public static let masterCard = Self(rawValue: "MasterCard")
    public static let visa = Self(rawValue: "Visa")
}

public struct PKMerchantCapability: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let capability3DS = Self(rawValue: 1)
}

public struct PKContactField: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let emailAddress = Self(rawValue: "email")
    public static let name = Self(rawValue: "name")
    public static let phoneNumber = Self(rawValue: "phone")
    public static let postalAddress = Self(rawValue: "post")
}
