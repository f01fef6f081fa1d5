/// The cause of an answer, as far as a code shows it. The raw value is the sentence for the operator: what
/// happened and what helps. Codes with the same sentence share one situation.
enum FortSituation: String, Hashable, Sendable, CaseIterable {
    // The customer's card or bank.
    case bankDeclined = "The card's bank declined and gave no reason. Another card helps, or a call to the bank."
    case declined =
        "The payment was declined, and FORT does not say why. Another card helps, or a call to the card's bank."
    case failed = "The payment failed, and FORT does not say why. Try again, or with another card."
    case acquirerFailed = "The payment failed at the acquirer, which gave no reason. Try again, or with another card."
    case paymentFailed =
        "FORT says that the payment failed. The code's last three digits say why, and whether that is certain."
    case dropped = "FORT dropped the order and does not say why. Try again later; if it happens often, ask APS."
    case closed = "FORT closed the transaction before it was complete. Try again."
    case canceled = "The customer canceled the payment. Nothing is wrong: paying again helps."
    case insufficientFunds = "The card's account does not have enough money for the amount. Another card helps."
    case amountLimit =
        "The amount is above the limit of the card or account. Another card helps, or a call to the bank."
    case dailyLimit =
        "The card or account has reached its limit for a day or period. Another card helps, or an attempt on another day."
    case creditLimit = "The card has reached its credit limit. Another card helps, or a call to the bank."
    case tooManyTries = "There were too many attempts. Another card helps, or a later attempt."
    case codeAskedTooSoon = "A new one-time code was requested too soon. An attempt after a minute helps."
    case cardExpired = "The card has expired. Another card helps, or the renewed one."
    case expiryDateInvalid = "The card's expiry date is not valid. Check it, or try with another card."
    case cardNotRecognized = "The card number is not valid or not known to the bank. Another card helps."
    case issuerUnknown = "No bank was found for the card. Another card helps."
    case cardAccountMissing =
        "The card has no account of the requested kind. Another card helps, or a call to the bank."
    case recordMissing =
        "The bank has no record of the transaction to which the payment refers. Another card helps; if it happens often, ask APS."
    case cardBlocked =
        "The bank has blocked the card as lost, stolen or to be withheld. Another card helps. Leave the reason to the bank."
    case bankSecurityRules =
        "The bank's fraud or security rules stopped the payment. A call to the bank helps. Leave the reason to the bank."
    case cardNotPermitted =
        "The bank has restricted the card, or does not permit this kind of payment. Another card helps, or a call to the bank."
    case cardNotTaken =
        "Our account does not take cards of this type or bank. Another card helps; ask APS to activate the type."
    case bankFoundInvalid =
        "The bank refused this kind of transaction as invalid. Another card helps; if it happens often, ask APS."
    case bankWantsCall = "The bank wants to speak with the customer first. Call the bank, then try again."
    case notAuthenticated =
        "The customer was not authenticated, as in a 3-D Secure check. Try again, or with another card."
    case codeIncorrect = "The PIN or the one-time code was not correct. Try again, or with another card."
    case passwordIncorrect = "The password of the online account was not correct. Try again, or pay another way."
    case securityCodeInvalid = "The card's security code (CVN) was not correct. Check it, or try with another card."
    case securityCodeStoppedApproval =
        "The bank approved, but the gateway declined for the security code. Another card helps. A hold may stay for some days."
    case bankUnreachable = "The card's bank could not be reached. Try later, or with another card."
    case acquirerFault = "A technical fault at the acquirer or the bank. Try later, or with another card."
    case storedCardUnusable =
        "FORT does not know the stored card, or has not verified it. The customer pays with the card anew."
    // Rules against fraud.
    case fraudCheckBlocked =
        "The fraud check at FORT blocked the payment. Another card may help; review the account's rules with APS."
    case fraudRulesChallenged =
        "The account's fraud rules at FORT challenged the payment. Review it with APS; another card may help."
    case behaviorUnexpected =
        "FORT found the payment unusual. A later attempt or another card may help; otherwise ask APS."
    case acquirerRiskRules =
        "The acquirer's risk rules blocked the payment. Another card may help; ask APS which rule."
    case customerBlocked =
        "The acquirer has blocked the account that pays. Another card or way to pay helps; ask APS why."
    // Our account and our requests.
    case requestRefused =
        "FORT refused the request. The code's last three digits say why, and whether that is certain."
    case requestMalformed =
        "Our mistake: the request was incomplete, malformed or contradictory. Report it to the developers."
    case amountInvalid =
        "Our mistake: the amount is not valid, or not that of the Apple Pay token. Check it and the currency's decimals."
    case currencyUnknown =
        "Our mistake: the currency is not valid, or not that of the Apple Pay token. Correct it."
    case authenticationOfAnother =
        "Our mistake: the 3-D Secure check that we named is unknown or is about another request. Correct the request."
    case signatureMismatch = "Our mistake: our signature is wrong. Correct the SHA phrase or the SHA type."
    case merchantIdentifierUnknown = "Our mistake: FORT does not know our merchant identifier. Correct the settings."
    case accessCodeUnknown = "Our mistake: FORT does not know our access code. Correct the settings."
    case sourceNotListed =
        "Our mistake: the request came from an address that our account does not list. Enter it in APS's dashboard."
    case merchantUnknown = "The acquirer does not accept our account or terminal. Ask APS."
    case accountInactive = "Our account is switched off, or its acquirer or gateway is. Ask APS."
    case accountUnfinished = "Our account is not completely set up for this. Ask APS."
    case fraudServiceUnfinished = "Our account's fraud service is switched off or not completely set up. Ask APS."
    case operationOff = "Our account is not permitted this operation. Ask APS to activate it."
    case serviceOff = "The request needs a service that is switched off or does not fit. Leave it out, or ask APS."
    case paymentMethodOff =
        "Our account does not take this payment method or card scheme. Another card may help; ask APS to activate it."
    case currencyNotTaken = "Our account does not take this currency. Send another, or ask APS to add it."
    case merchantLimit =
        "The amount is above our account's limit for one transaction. Ask APS to raise it; a smaller amount helps."
    case amountOutsideService = "The amount is outside what the service or plan permits. Another way to pay helps."
    case tokenUnusable =
        "Our mistake: FORT could not use Apple's token. Compare the processing certificate at APS with the app's."
    case tokenExpired =
        "Apple's token was too old when FORT got it. Paying again with a new token helps; find what delayed this one."
    case walletFailed =
        "FORT could not process Apple Pay. The code's last three digits say why, and whether that is certain."
    // Services that an Apple Pay payment does not use.
    case onlineAccountUnknown =
        "The online account (OLP) or its transaction is not known. Check the account's details, or pay another way."
    case installmentsUnfit = "The installment plan is unknown, switched off or does not fit. Ask APS."
    case invoiceUnfit = "The invoice, bill or payment link is unknown, expired or taken. Make a new one."
    case otherServiceFailed = "FORT speaks of a service that an Apple Pay payment does not use. Ask APS why."
    // The state of the order.
    case stateForbids = "The payment's state or our account does not permit this. Read the payment's history."
    case moreThanAuthorized = "More was requested than the authorization has left. Ask for less."
    case moreThanCaptured = "More was requested than was captured. Ask for less."
    case orderNotConfirmed = "The order is not confirmed yet, so this cannot be done. Wait, then try again."
    // The outcome is open.
    case uncertain =
        "It is not known whether money moved. Wait: the relay queries FORT. Do not charge again before it knows."
    case pending = "FORT has not finished. Wait: the relay sends queries until it has."
    case onHold = "FORT holds the transaction back. Wait: the relay queries FORT. If it lasts, ask APS."
    case inReview = "FORT or the bank reviews the transaction. Wait, or decide the review in APS's dashboard."
    case waitsForCustomer =
        "FORT waits for a step of the customer's, as a 3-D Secure check. Wait: the relay queries its outcome."
    case technicalProblem =
        "A technical problem at FORT or behind it; money may have moved. Wait: the relay queries FORT."
    case confirmationLost =
        "FORT processed the transaction but got no confirmation: the customer may be charged. Wait: the relay queries FORT."
    case sessionTimedOut = "The session at FORT timed out, and money may have moved. Wait: the relay queries FORT."
    case answerNotTranslated =
        "FORT could not read what the bank answered. Wait: the relay queries FORT. If it lasts, ask APS."
    case contradiction =
        "FORT reports something done, which by itself does not prove a payment. Wait: the relay queries FORT."
    case orderNotSaved = "FORT did not save the order; whether money moved is not known. Wait: the relay queries FORT."
    case orderNotFound =
        "FORT has no order of this reference. Wait until the relay has settled the payment; then pay again."
    case referenceTaken =
        "FORT has an order of this reference already. Wait: the relay queries the outcome of that order."
    case alreadyProcessed = "FORT has processed this order before. Wait: the relay queries the outcome."
    case stillProcessing =
        "FORT is still processing an earlier transaction. Wait: the relay sends queries until it has ended."
    case queryAnswered = "FORT answered a status query. The transaction's code has the outcome of the payment."
    case queryFailed = "The status query failed, which says nothing about the payment. The relay sends another query."
    case otherServiceOpen =
        "FORT reports something under way or done in a service that Apple Pay does not use. Wait: the relay queries FORT."
    case statusOfAnotherService =
        "The status belongs to another service of FORT's and does not prove a payment. Wait: the relay queries FORT."
    case acquirerApproved = "The acquirer approved. FORT's own code says whether the payment is paid."
    case acquirerPending = "The acquirer has not finished. FORT's own code has the outcome."
    case acquirerSawTwice = "The acquirer got the request twice. FORT's own code has the outcome of the first."
    case bankAnsweredLate =
        "The bank's answer came too late or not at all. If FORT's own code says declined, try later or with another card."
    case acquirerAmbiguous =
        "Acquirers use this code for different things. FORT's own code tells the outcome; ask APS for the reason."
    case acquirerUnexplained = "FORT does not document the acquirer's code. FORT's own code tells the outcome."
    // The outcome of an operation: not about whether the customer paid.
    case captureFailed = "The capture failed, and the authorization stays as it was. Try again while it is valid."
    case refundFailed = "The refund failed, and the charge stays as it was. Try again; if it fails again, ask APS."
    case voidFailed = "The void failed, and the authorization stays as it was. Try again; if it fails again, ask APS."
    case sdkTokenFailed = "FORT gave its mobile SDK no token, so nothing could be paid with it."
    // Done.
    case paid = "The customer paid, and the money was taken."
    case authorized = "The bank reserved the amount. A capture takes it."
    case captured = "The reserved amount was taken."
    case refunded = "The money was given back. The customer's bank may take some days to show it."
    case voided = "The authorization was voided: the bank lets go of the reserved amount."
    case sdkTokenMade = "FORT made a token for its mobile SDK. Nothing is paid yet."

    /// The event and the remedy, for the operator.
    var whatHappened: String { rawValue }

    /// Whether the situation leaves the outcome open.
    var isOpen: Bool { forCustomer.isOpen }

    /// The text for the customer.
    var forCustomer: FortCustomerText {
        switch self {
        case .bankDeclined, .cardAccountMissing, .cardBlocked, .bankSecurityRules, .bankFoundInvalid: .bankDeclined
        case .declined: .declined
        case .failed, .acquirerFailed, .dropped, .closed, .recordMissing: .failed
        case .paymentFailed, .requestRefused, .walletFailed, .uncertain, .pending, .technicalProblem, .confirmationLost,
            .sessionTimedOut, .answerNotTranslated, .contradiction, .orderNotSaved, .orderNotFound, .referenceTaken,
            .alreadyProcessed, .stillProcessing, .queryAnswered, .queryFailed, .otherServiceOpen,
            .statusOfAnotherService, .acquirerApproved, .acquirerPending, .acquirerSawTwice, .bankAnsweredLate,
            .acquirerAmbiguous, .acquirerUnexplained:
            .checking
        case .canceled: .canceled
        case .insufficientFunds: .insufficientFunds
        case .amountLimit, .dailyLimit, .creditLimit: .limit
        case .tooManyTries, .codeAskedTooSoon: .tooManyTries
        case .cardExpired: .cardExpired
        case .expiryDateInvalid: .cardDetails
        case .cardNotRecognized, .issuerUnknown: .cardNotRecognized
        case .cardNotPermitted: .cardNotPermitted
        case .cardNotTaken: .cardNotTaken
        case .bankWantsCall: .callBank
        case .notAuthenticated, .codeIncorrect: .notConfirmed
        case .passwordIncorrect, .onlineAccountUnknown: .onlineAccount
        case .securityCodeInvalid, .securityCodeStoppedApproval: .securityCode
        case .bankUnreachable: .bankUnreachable
        case .acquirerFault: .technical
        case .storedCardUnusable: .storedCard
        case .fraudCheckBlocked, .fraudRulesChallenged, .behaviorUnexpected, .acquirerRiskRules, .customerBlocked:
            .notAccepted
        case .requestMalformed, .amountInvalid, .currencyUnknown, .authenticationOfAnother, .signatureMismatch,
            .merchantIdentifierUnknown, .accessCodeUnknown, .sourceNotListed, .merchantUnknown, .accountInactive,
            .accountUnfinished, .fraudServiceUnfinished, .operationOff, .serviceOff, .currencyNotTaken, .tokenUnusable,
            .installmentsUnfit, .invoiceUnfit, .otherServiceFailed, .sdkTokenFailed:
            .ourSide
        case .paymentMethodOff: .paymentMethod
        case .merchantLimit, .amountOutsideService: .amountOutside
        case .tokenExpired: .approvalExpired
        case .stateForbids, .moreThanAuthorized, .moreThanCaptured, .orderNotConfirmed: .changeNotPossible
        case .onHold, .inReview: .inReview
        case .waitsForCustomer: .unconfirmed
        case .captureFailed: .captureNotComplete
        case .refundFailed: .refundNotComplete
        case .voidFailed: .voidNotComplete
        case .paid, .captured: .paid
        case .authorized: .authorized
        case .refunded: .refunded
        case .voided: .voided
        case .sdkTokenMade: .notStarted
        }
    }

    /// The situation of a class, for codes whose message and status say no more.
    init(_ class: FortCode.Class) {
        self =
            switch `class` {
            case .success: .queryAnswered
            case .declined: .failed
            case .duplicate: .referenceTaken
            case .uncertain: .uncertain
            case .notFound: .orderNotFound
            case .signature: .signatureMismatch
            case .configuration: .accountUnfinished
            case .request: .requestMalformed
            case .token: .tokenUnusable
            case .notAllowed: .stateForbids
            }
    }
}
