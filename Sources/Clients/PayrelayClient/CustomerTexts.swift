import Foundation
public import PayrelayAPI
import PayrelayPrimitives

/// The texts for the customer in one language: for the app's screens, and for the fields that Apple's sheet
/// marks. The library has English and Arabic texts, and each text can be replaced. The texts never include
/// messages of the relay, of the system or of network errors.
///
/// ```swift
/// var texts = CustomerTexts(.arabic)
/// texts.paid = "شكراً لك. طلبك في الطريق."
/// show(texts.text(for: .success(result)))
/// ```
public struct CustomerTexts: Sendable, Hashable {
    /// The money was authorized or captured.
    public var paid: String
    /// The card was declined. Nothing was charged.
    public var declined: String
    /// Nothing was charged, for a reason that the customer did not cause.
    public var notCharged: String
    /// The payment was voided or refunded.
    public var givenBack: String
    /// It is not known whether the customer was charged.
    public var beingChecked: String
    /// The customer closed the sheet. Nothing was charged.
    public var cancelled: String
    /// The email address was rejected. Nothing was charged.
    public var emailAddress: String
    /// The name was rejected. Nothing was charged.
    public var name: String
    /// The phone number was rejected. Nothing was charged.
    public var phoneNumber: String

    /// Creates the library's texts in a language.
    public init(_ language: PaymentLanguage) {
        switch language {
        case .english:
            paid = "Thank you. Your payment was successful."
            declined = "The payment was declined. Please use another card."
            notCharged = "The payment was not made, and nothing was charged. Please try again."
            givenBack = "The payment was cancelled, and the amount returned."
            beingChecked = "Your payment is being checked. Please do not pay again."
            cancelled = "The payment was cancelled. Nothing was charged."
            emailAddress = "Please check the email address."
            name = "Please check the name."
            phoneNumber = "Please check the phone number."
        case .arabic:
            paid = "شكراً لك. تمت عملية الدفع بنجاح."
            declined = "تم رفض عملية الدفع. يُرجى استخدام بطاقة أخرى."
            notCharged = "لم تتم عملية الدفع ولم يُخصم أي مبلغ. يُرجى المحاولة مرة أخرى."
            givenBack = "تم إلغاء عملية الدفع وإعادة المبلغ."
            beingChecked = "جارٍ التحقق من عملية الدفع. يُرجى عدم الدفع مرة أخرى."
            cancelled = "تم إلغاء عملية الدفع. لم يُخصم أي مبلغ."
            emailAddress = "يُرجى التحقق من البريد الإلكتروني."
            name = "يُرجى التحقق من الاسم."
            phoneNumber = "يُرجى التحقق من رقم الهاتف."
        }
    }

    /// Returns the text for the outcome of a payment or of a look-up.
    public func text(for outcome: Result<PaymentResult, RelayError>) -> String {
        switch outcome {
        case .success(.authorized), .success(.captured): paid
        case .success(.declined): declined
        case .success(.notProcessed): notCharged
        case .success(.returned): givenBack
        case .success(.uncertain): beingChecked
        case .failure(let error) where error.mayHaveBeenCharged: beingChecked
        case .failure(.cancelled): cancelled
        case .failure(.invalidFields(let errors)): text(for: errors) ?? notCharged
        case .failure: notCharged
        }
    }

    /// Returns the text for a field of Apple's sheet that was rejected.
    public func text(for field: SheetContactField) -> String {
        switch field {
        case .emailAddress: emailAddress
        case .name: name
        case .phoneNumber: phoneNumber
        }
    }

    /// Returns the texts for invalid fields; `nil` if a field is invalid that the customer did not enter.
    private func text(for errors: [ValidationError]) -> String? {
        let fields = errors.compactMap { SheetContactField($0) }
        guard !fields.isEmpty, fields.count == errors.count else { return nil }
        return SheetContactField.allCases.filter(fields.contains).map { text(for: $0) }.joined(separator: " ")
    }

    /// The texts in Arabic if that is the device's language, and otherwise in English.
    static var ofTheDevice: CustomerTexts {
        CustomerTexts(Locale.preferredLanguages.first?.begins(with: "ar") == true ? .arabic : .english)
    }
}
