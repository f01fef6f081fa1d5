extension FortSituation {
    /// Returns the situation of an acquirer's code, by its text in FORT's documentation; nil if it is not listed. A
    /// code that acquirers use for different things says nothing for certain.
    static func ofAcquirerCode(_ code: String) -> FortSituation? {
        switch code {
        // The customer's card or bank.
        case "05", "203", "233": .bankDeclined
        case "01", "2", "201", "401": .bankWantsCall
        case "04", "7", "41", "43", "205": .cardBlocked
        case "12": .bankFoundInvalid
        case "14", "231": .cardNotRecognized
        case "15": .issuerUnknown
        case "25": .recordMissing
        case "39", "42": .cardAccountMissing
        case "51", "204", "ERR_106": .insufficientFunds
        case "54", "202": .cardExpired
        case "55", "104", "8700": .codeIncorrect
        case "57", "62", "208": .cardNotPermitted
        case "59", "63": .bankSecurityRules
        case "61": .amountLimit
        case "65": .dailyLimit
        case "75", "EXCEEDED_RETRY_LIMIT": .tooManyTries
        case "210": .creditLimit
        case "211": .securityCodeInvalid
        case "230": .securityCodeStoppedApproval
        case "232": .cardNotTaken
        case "2996", "CANCELED": .canceled
        case "3000", "9001", "FAILURE(NOT CAPTURED)", "NOT CAPTURED": .acquirerFailed
        // Rules against fraud.
        case "B", "BLOCKED", "FAILURE(DENIED BY RISK)", "FAILURE(SUSPECT)": .acquirerRiskRules
        case "4004": .customerBlocked
        // The bank or the acquirer was out of reach.
        case "91", "92": .bankUnreachable
        case "96", "150", "902", "8400", "E999999", "SYSTEM_ERROR": .acquirerFault
        // Our account and our requests.
        case "03", "58", "900", "ERR_102": .merchantUnknown
        case "13": .amountInvalid
        case "30", "102", "109", "110", "115", "400", "8600", "ERR_119": .requestMalformed
        case "8500": .accountUnfinished
        // They prove nothing by themselves.
        case "00", "100", "0000", "I000000", "CAPTURED", "SUCCESS": .acquirerApproved
        case "68", "FAILURE(HOST TIMEOUT)", "TIMED_OUT": .bankAnsweredLate
        case "94", "901": .acquirerSawTwice
        case "2994", "PENDING": .acquirerPending
        case "79", "82", "83", "101": .acquirerAmbiguous
        case "0", "47", "70", "80", "81", "E000002", "E019004", "UNKNOWN", "false": .acquirerUnexplained
        default: nil
        }
    }

    /// Where FORT says no more than that the payment was declined, what the acquirer's code says of the reason.
    func refined(byAcquirerCode code: String?) -> FortSituation {
        guard [.declined, .failed].contains(self), let code, let reason = FortSituation.ofAcquirerCode(code),
            !reason.isOpen
        else { return self }
        return reason
    }
}
