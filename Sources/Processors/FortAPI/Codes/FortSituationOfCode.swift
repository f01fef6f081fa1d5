extension FortCode {
    /// Returns the situation of a code of this class. The message decides if it agrees with the class, then the status,
    /// then the class alone.
    func situation(in class: Class) -> FortSituation {
        let byMessage = FortSituation.ofMessage(message)
        let byStatus = FortSituation.ofStatus(status)
        switch `class` {
        case .success: return byStatus
        case .uncertain, .duplicate, .notFound:
            // Something done contradicts the class, and a status that tells where the order stands tells more.
            if let byMessage, byMessage.isOpen, byMessage != .contradiction { return byMessage }
            if byStatus.isOpen, byStatus != .uncertain, !FortStatus(status).isFailure { return byStatus }
            return byMessage == .contradiction ? .contradiction : .ofClass(`class`)
        case .declined, .signature, .configuration, .request, .token, .notAllowed:
            guard let byMessage, !byMessage.isOpen else { return .ofClass(`class`) }
            return byMessage
        }
    }
}

extension FortSituation {
    /// Returns the situation of a three-digit message, by its text in FORT's documentation; nil if it is not listed.
    static func ofMessage(_ message: String) -> FortSituation? {
        switch message {
        // The customer's card or bank.
        case "012": .cardExpired
        case "016": .cardNotRecognized
        case "029", "747": .insufficientFunds
        case "030", "787": .notAuthenticated
        case "031": .issuerUnknown
        case "057": .dailyLimit
        case "058", "746": .amountLimit
        case "060": .passwordIncorrect
        case "087": .cardNotTaken
        case "100": .expiryDateInvalid
        case "123": .tooManyTries
        case "983": .codeAskedTooSoon
        case "044", "088", "121": .storedCardUnusable
        case "072": .canceled
        case "074", "075", "077": .failed
        case "118", "119": .dropped
        case "666": .declined
        case "773": .closed
        // Rules against fraud.
        case "079": .fraudRulesChallenged
        case "083": .behaviorUnexpected
        case "785": .fraudCheckBlocked
        // Our account and our requests.
        case "001", "002", "004", "027", "032", "033", "037", "070", "073", "080", "110", "114", "748":
            .requestMalformed
        case "003", "014", "021", "039": .paymentMethodOff
        case "005": .amountInvalid
        case "008": .signatureMismatch
        case "009": .merchantIdentifierUnknown
        case "010": .accessCodeUnknown
        case "013": .currencyUnknown
        case "015", "019", "020": .accountInactive
        case "017", "018", "043", "049", "097", "225": .operationOff
        case "023", "024": .currencyNotTaken
        case "025", "026", "046", "067", "155": .accountUnfinished
        case "038", "068", "093", "111", "112", "113", "116": .serviceOff
        case "040": .sourceNotListed
        case "050": .merchantLimit
        case "053", "059": .merchantUnknown
        case "078", "082": .fraudServiceUnfinished
        case "084", "181", "221": .amountOutsideService
        case "089", "099": .tokenUnusable
        case "102": .tokenExpired
        case "151", "152": .authenticationOfAnother
        // The state of the order.
        case "034": .stateForbids
        case "042": .moreThanAuthorized
        case "048": .moreThanCaptured
        case "662": .orderNotConfirmed
        // The outcome is open.
        case "006", "051", "054", "071": .technicalProblem
        case "007", "066": .referenceTaken
        case "011": .orderNotSaved
        case "036": .orderNotFound
        case "047": .alreadyProcessed
        case "064", "065": .waitsForCustomer
        case "069", "779", "780", "781": .answerNotTranslated
        case "090": .inReview
        case "777": .confirmationLost
        case "778": .sessionTimedOut
        case "784": .stillProcessing
        case "000", "035", "062", "063", "124": .contradiction
        // Services that Apple Pay has no use for.
        case "052", "055", "056", "076": .onlineAccountUnknown
        case "086", "092", "094", "095", "096", "104", "783": .installmentsUnfit
        case "101", "115", "120", "126", "149", "150", "788", "789", "790": .invoiceUnfit
        case "098", "103", "105", "106", "107", "122", "127", "129", "134", "136", "137", "141", "142", "144",
            "146", "154":
            .otherServiceFailed
        case "117", "125", "128", "138", "140", "147", "148": .otherServiceOpen
        default: nil
        }
    }

    /// Returns the situation of a two-digit status by itself.
    static func ofStatus(_ status: String) -> FortSituation {
        switch status {
        case "00": .requestRefused
        case "01", "10", "19": .pending
        case "02": .authorized
        case "03", "13": .paymentFailed
        case "04": .captured
        case "05": .captureFailed
        case "06": .refunded
        case "07": .refundFailed
        case "08": .voided
        case "09": .voidFailed
        case "11": .queryFailed
        case "12": .queryAnswered
        case "14": .paid
        case "15": .uncertain
        case "20": .onHold
        case "21": .sdkTokenFailed
        case "22": .sdkTokenMade
        case "23": .walletFailed
        case "40": .inReview
        default: .statusOfAnotherService
        }
    }

    /// Returns the situation of a class, for codes whose message and status say no more.
    static func ofClass(_ class: FortCode.Class) -> FortSituation {
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
