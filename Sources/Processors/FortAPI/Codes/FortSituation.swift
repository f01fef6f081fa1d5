/// Cause of an answer, as far as a code tells it. Codes that call for the same sentences are one situation.
enum FortSituation: Hashable, Sendable, CaseIterable {
    // The customer's card or bank.
    case bankDeclined, declined, failed, acquirerFailed, paymentFailed, dropped, closed, canceled
    case insufficientFunds, amountLimit, dailyLimit, creditLimit, tooManyTries, codeAskedTooSoon
    case cardExpired, expiryDateInvalid, cardNotRecognized, issuerUnknown, cardAccountMissing, recordMissing
    case cardBlocked, bankSecurityRules, cardNotPermitted, cardNotTaken, bankFoundInvalid, bankWantsCall
    case notAuthenticated, codeIncorrect, passwordIncorrect, securityCodeInvalid, securityCodeStoppedApproval
    case bankUnreachable, acquirerFault, storedCardUnusable
    // Rules against fraud.
    case fraudCheckBlocked, fraudRulesChallenged, behaviorUnexpected, acquirerRiskRules, customerBlocked
    // Our account and our requests.
    case requestRefused, requestMalformed, amountInvalid, currencyUnknown, authenticationOfAnother
    case signatureMismatch, merchantIdentifierUnknown, accessCodeUnknown, sourceNotListed, merchantUnknown
    case accountInactive, accountUnfinished, fraudServiceUnfinished, operationOff, serviceOff, paymentMethodOff
    case currencyNotTaken, merchantLimit, amountOutsideService, tokenUnusable, tokenExpired, walletFailed
    // Services that Apple Pay has no use for.
    case onlineAccountUnknown, installmentsUnfit, invoiceUnfit, otherServiceFailed
    // The state of the order.
    case stateForbids, moreThanAuthorized, moreThanCaptured, orderNotConfirmed
    // The outcome is open.
    case uncertain, pending, onHold, inReview, waitsForCustomer, technicalProblem, confirmationLost, sessionTimedOut
    case answerNotTranslated, contradiction, orderNotSaved, orderNotFound, referenceTaken, alreadyProcessed
    case stillProcessing, queryAnswered, queryFailed, otherServiceOpen, statusOfAnotherService
    case acquirerApproved, acquirerPending, acquirerSawTwice, bankAnsweredLate, acquirerAmbiguous, acquirerUnexplained
    // Not about whether the customer paid.
    case captureFailed, refundFailed, voidFailed, sdkTokenFailed
    // Done.
    case paid, authorized, captured, refunded, voided, sdkTokenMade

    /// Whether the outcome is not known by it.
    var isOpen: Bool { sentences.forCustomer.isOpen }

    /// Written for each situation: what happened and what helps, and what the customer is told.
    var sentences: (whatHappened: String, forCustomer: FortCustomerText) {
        switch self {
        case .bankDeclined:
            ("The card's bank declined and gave no reason. Another card helps, or a call to the bank.", .bankDeclined)
        case .declined:
            (
                "The payment was declined, and FORT does not say why. Another card helps, or a call to the card's bank.",
                .declined
            )
        case .failed: ("The payment failed, and FORT does not say why. Try again, or with another card.", .failed)
        case .acquirerFailed:
            ("The payment failed at the acquirer, which gave no reason. Try again, or with another card.", .failed)
        case .paymentFailed:
            (
                "FORT says that the payment failed. The code's last three digits say why, and whether that is certain.",
                .checking
            )
        case .dropped:
            ("FORT dropped the order and does not say why. Try again later; if it happens often, ask APS.", .failed)
        case .closed: ("FORT closed the transaction before it was complete. Try again.", .failed)
        case .canceled: ("The customer canceled the payment. Nothing is wrong: paying again helps.", .canceled)
        case .insufficientFunds:
            ("The card's account does not have enough money for the amount. Another card helps.", .insufficientFunds)
        case .amountLimit:
            ("The amount is above the limit of the card or account. Another card helps, or a call to the bank.", .limit)
        case .dailyLimit:
            (
                "The card or account has reached its limit for a day or period. Another card helps, or a try on another day.",
                .limit
            )
        case .creditLimit:
            ("The card has reached its credit limit. Another card helps, or a call to the bank.", .limit)
        case .tooManyTries:
            ("There were too many tries. Another card helps, or a try later.", .tooManyTries)
        case .codeAskedTooSoon:
            ("A new one-time code was asked for too soon. A try after a minute helps.", .tooManyTries)
        case .cardExpired: ("The card has expired. Another card helps, or the renewed one.", .cardExpired)
        case .expiryDateInvalid:
            ("The card's expiry date is not valid. Check it, or try with another card.", .cardDetails)
        case .cardNotRecognized:
            ("The card number is not valid or not known to the bank. Another card helps.", .cardNotRecognized)
        case .issuerUnknown: ("No bank was found for the card. Another card helps.", .cardNotRecognized)
        case .cardAccountMissing:
            (
                "The card has no account of the kind that was asked for. Another card helps, or a call to the bank.",
                .bankDeclined
            )
        case .recordMissing:
            (
                "The bank has no record of what the payment refers to. Another card helps; if it happens often, ask APS.",
                .failed
            )
        case .cardBlocked:
            (
                "The bank has blocked the card as lost, stolen or to be withheld. Another card helps. Leave the reason to the bank.",
                .bankDeclined
            )
        case .bankSecurityRules:
            (
                "The bank's fraud or security rules stopped the payment. A call to the bank helps. Leave the reason to the bank.",
                .bankDeclined
            )
        case .cardNotPermitted:
            (
                "The bank has restricted the card, or does not permit this kind of payment. Another card helps, or a call to the bank.",
                .cardNotPermitted
            )
        case .cardNotTaken:
            (
                "Our account does not take cards of this type or bank. Another card helps; ask APS to activate the type.",
                .cardNotTaken
            )
        case .bankFoundInvalid:
            (
                "The bank refused this kind of transaction as invalid. Another card helps; if it happens often, ask APS.",
                .bankDeclined
            )
        case .bankWantsCall:
            ("The bank wants to speak with the customer first. Call the bank, then try again.", .callBank)
        case .notAuthenticated:
            (
                "The customer was not authenticated, as in a 3-D Secure check. Try again, or with another card.",
                .notConfirmed
            )
        case .codeIncorrect:
            ("The PIN or the one-time code was not correct. Try again, or with another card.", .notConfirmed)
        case .passwordIncorrect:
            ("The password of the online account was not correct. Try again, or pay another way.", .onlineAccount)
        case .securityCodeInvalid:
            ("The card's security code (CVN) was not correct. Check it, or try with another card.", .securityCode)
        case .securityCodeStoppedApproval:
            (
                "The bank approved, but the processor declined for the security code. Another card helps. A hold may stay for some days.",
                .securityCode
            )
        case .bankUnreachable:
            ("The card's bank could not be reached. Try later, or with another card.", .bankUnreachable)
        case .acquirerFault:
            ("A technical fault at the acquirer or the bank. Try later, or with another card.", .technical)
        case .storedCardUnusable:
            (
                "FORT does not know the stored card, or has not verified it. The customer pays with the card anew.",
                .storedCard
            )
        case .fraudCheckBlocked:
            (
                "The fraud check at FORT blocked the payment. Another card may help; review the account's rules with APS.",
                .notAccepted
            )
        case .fraudRulesChallenged:
            (
                "The account's fraud rules at FORT challenged the payment. Review it with APS; another card may help.",
                .notAccepted
            )
        case .behaviorUnexpected:
            (
                "FORT found the course of the payment unusual. A try later or another card may help; else ask APS.",
                .notAccepted
            )
        case .acquirerRiskRules:
            ("The acquirer's risk rules blocked the payment. Another card may help; ask APS which rule.", .notAccepted)
        case .customerBlocked:
            (
                "The acquirer has blocked the account that pays. Another card or way to pay helps; ask APS why.",
                .notAccepted
            )
        case .requestRefused:
            ("FORT refused the request. The code's last three digits say why, and whether that is certain.", .checking)
        case .requestMalformed:
            (
                "Our mistake: the request was incomplete, malformed or contradictory. Report it to the developers.",
                .ourSide
            )
        case .amountInvalid:
            (
                "Our mistake: the amount is not valid, or is not the one that the customer confirmed in the Apple Pay token. Check it and the currency's decimals.",
                .ourSide
            )
        case .currencyUnknown:
            (
                "Our mistake: the currency is not valid, or is not the one that the customer confirmed in the Apple Pay token. Correct it.",
                .ourSide
            )
        case .authenticationOfAnother:
            (
                "Our mistake: the 3-D Secure check that we named is unknown or is about another request. Correct the request.",
                .ourSide
            )
        case .signatureMismatch:
            ("Our mistake: our signature is wrong. Correct the SHA phrase or the SHA type.", .ourSide)
        case .merchantIdentifierUnknown:
            ("Our mistake: FORT does not know our merchant identifier. Correct the settings.", .ourSide)
        case .accessCodeUnknown:
            ("Our mistake: FORT does not know our access code. Correct the settings.", .ourSide)
        case .sourceNotListed:
            (
                "Our mistake: the request came from an address that our account does not list. Enter it in APS's dashboard.",
                .ourSide
            )
        case .merchantUnknown: ("The acquirer does not accept our account or terminal. Ask APS.", .ourSide)
        case .accountInactive:
            ("Our account is switched off, or its acquirer or processor is. Ask APS.", .ourSide)
        case .accountUnfinished: ("Our account is not completely set up for this. Ask APS.", .ourSide)
        case .fraudServiceUnfinished:
            ("Our account's fraud service is switched off or not completely set up. Ask APS.", .ourSide)
        case .operationOff: ("Our account is not permitted this operation. Ask APS to activate it.", .ourSide)
        case .serviceOff:
            (
                "The request needs a service that is switched off or does not fit. Leave it out, or ask APS.",
                .ourSide
            )
        case .paymentMethodOff:
            (
                "Our account does not take this payment method or card scheme. Another card may help; ask APS to activate it.",
                .paymentMethod
            )
        case .currencyNotTaken:
            ("Our account does not take this currency. Send another, or ask APS to add it.", .ourSide)
        case .merchantLimit:
            (
                "The amount is above our account's limit for one transaction. Ask APS to raise it; a smaller amount helps.",
                .amountOutside
            )
        case .amountOutsideService:
            ("The amount is outside what the service or plan permits. Another way to pay helps.", .amountOutside)
        case .tokenUnusable:
            (
                "Our mistake: FORT could not use Apple's token. Compare the processing certificate at APS with the app's.",
                .ourSide
            )
        case .tokenExpired:
            (
                "Apple's token was too old when FORT got it. Paying again with a new token helps; find what delayed this one.",
                .approvalExpired
            )
        case .walletFailed:
            (
                "FORT could not process Apple Pay. The code's last three digits say why, and whether that is certain.",
                .checking
            )
        case .onlineAccountUnknown:
            (
                "The online account (OLP) or its transaction is not known. Check the account's details, or pay another way.",
                .onlineAccount
            )
        case .installmentsUnfit:
            ("The installment plan is unknown, switched off or does not fit. Ask APS.", .ourSide)
        case .invoiceUnfit:
            ("The invoice, bill or payment link is unknown, expired or taken. Make a new one.", .ourSide)
        case .otherServiceFailed:
            ("FORT speaks of a service that an Apple Pay payment does not use. Ask APS why.", .ourSide)
        case .stateForbids:
            ("The payment's state or our account does not permit this. Read the payment's history.", .changeNotPossible)
        case .moreThanAuthorized:
            ("More was asked for than the authorization has left. Ask for less.", .changeNotPossible)
        case .moreThanCaptured:
            ("More was asked for than was captured. Ask for less.", .changeNotPossible)
        case .orderNotConfirmed:
            ("The order is not confirmed yet, so this cannot be done. Wait, then try again.", .changeNotPossible)
        case .uncertain:
            (
                "It is not known whether money moved. Wait: the relay asks FORT. Do not charge again before it knows.",
                .checking
            )
        case .pending: ("FORT has not finished. Wait: the relay asks until it has.", .checking)
        case .onHold:
            ("FORT holds the transaction back. Wait: the relay asks FORT. If it lasts, ask APS.", .inReview)
        case .inReview:
            ("FORT or the bank reviews the transaction. Wait, or decide the review in APS's dashboard.", .inReview)
        case .waitsForCustomer:
            (
                "FORT waits for a step of the customer's, as a 3-D Secure check. Wait: the relay asks what came of it.",
                .unconfirmed
            )
        case .technicalProblem:
            (
                "A technical problem at FORT or behind it; money may have moved. Wait: the relay asks FORT.", .checking
            )
        case .confirmationLost:
            (
                "FORT processed the transaction but got no confirmation: the customer may be charged. Wait: the relay asks FORT.",
                .checking
            )
        case .sessionTimedOut:
            (
                "The session at FORT timed out, and money may have moved. Wait: the relay asks FORT.", .checking
            )
        case .answerNotTranslated:
            ("FORT could not read what the bank answered. Wait: the relay asks FORT. If it lasts, ask APS.", .checking)
        case .contradiction:
            (
                "FORT speaks of something done, which alone proves no payment. Wait: the relay asks FORT.",
                .checking
            )
        case .orderNotSaved:
            ("FORT did not save the order; whether money moved is not known. Wait: the relay asks FORT.", .checking)
        case .orderNotFound:
            (
                "FORT has no order of this reference. Wait until the relay has settled the payment; then pay again.",
                .checking
            )
        case .referenceTaken:
            (
                "FORT has an order of this reference already. Wait: the relay asks what became of that one.",
                .checking
            )
        case .alreadyProcessed:
            ("FORT has processed this order before. Wait: the relay asks with which outcome.", .checking)
        case .stillProcessing:
            ("FORT is still processing an earlier transaction. Wait: the relay asks until it has ended.", .checking)
        case .queryAnswered:
            ("FORT answered a status query. What became of the payment stands in the transaction's code.", .checking)
        case .queryFailed:
            ("The status query failed, which says nothing about the payment. The relay asks again.", .checking)
        case .otherServiceOpen:
            (
                "FORT speaks of something under way or done in a service that Apple Pay does not use. Wait: the relay asks FORT.",
                .checking
            )
        case .statusOfAnotherService:
            (
                "The status belongs to another service of FORT's and proves no payment. Wait: the relay asks FORT.",
                .checking
            )
        case .acquirerApproved: ("The acquirer approved. Whether it is paid, FORT's own code says.", .checking)
        case .acquirerPending: ("The acquirer has not finished. What became of it, FORT's own code says.", .checking)
        case .acquirerSawTwice:
            ("The acquirer got the request twice. What became of the first, FORT's own code says.", .checking)
        case .bankAnsweredLate:
            (
                "The bank's answer came too late or not at all. If FORT's own code says declined, try later or with another card.",
                .checking
            )
        case .acquirerAmbiguous:
            (
                "Acquirers use this code for different things. FORT's own code tells the outcome; ask APS for the reason.",
                .checking
            )
        case .acquirerUnexplained:
            ("FORT does not document what the acquirer means. FORT's own code tells the outcome.", .checking)
        case .captureFailed:
            (
                "The capture failed, and the authorization stays as it was. Try again while it is valid.",
                .captureNotComplete
            )
        case .refundFailed:
            (
                "The refund failed, and the charge stays as it was. Try again; if it fails again, ask APS.",
                .refundNotComplete
            )
        case .voidFailed:
            (
                "The void failed, and the authorization stays as it was. Try again; if it fails again, ask APS.",
                .voidNotComplete
            )
        case .sdkTokenFailed: ("FORT gave its mobile SDK no token, so nothing could be paid with it.", .ourSide)
        case .paid: ("The customer paid, and the money was taken.", .paid)
        case .authorized: ("The bank reserved the amount. A capture takes it.", .authorized)
        case .captured: ("The reserved amount was taken.", .paid)
        case .refunded: ("The money was given back. The customer's bank may take some days to show it.", .refunded)
        case .voided: ("The authorization was voided: the bank lets go of the reserved amount.", .voided)
        case .sdkTokenMade: ("FORT made a token for its mobile SDK. Nothing is paid yet.", .notStarted)
        }
    }
}
