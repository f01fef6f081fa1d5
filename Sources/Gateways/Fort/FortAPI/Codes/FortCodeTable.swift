/// The table of all FORT codes: for each code FORT's text, and payrelay's class, situation and advice.
///
/// The texts are those of FORT's documentation. APS does not document classes, situations or advice. They come
/// from APS's plugins and from the experience of integrators. The situation contains the sentences for the
/// operator and the customer.
extension FortCodeEntry {
    /// Every status, ascending.
    static let statuses: [FortCodeEntry] = [
        status("00", "Invalid Request.", .requestRefused),
        status("01", "Order Stored.", .pending),
        status("02", "Authorization Success.", .authorized),
        status("03", "Authorization Failed.", .paymentFailed),
        status("04", "Capture Success.", .captured),
        status("05", "Capture failed.", .captureFailed),
        status("06", "Refund Success.", .refunded),
        status("07", "Refund Failed.", .refundFailed),
        status("08", "Authorization Voided Successfully.", .voided),
        status("09", "Authorization Void Failed.", .voidFailed),
        status("10", "Incomplete.", .pending),
        status("11", "Check status Failed.", .queryFailed),
        status("12", "Check status success.", .queryAnswered),
        status("13", "Purchase Failure.", .paymentFailed),
        status("14", "Purchase Success.", .paid),
        status("15", "Uncertain Transaction.", .uncertain),
        status("17", "Tokenization failed.", .statusOfAnotherService),
        status("18", "Tokenization success.", .statusOfAnotherService),
        status("19", "Transaction pending.", .pending),
        status("20", "On hold.", .onHold),
        status("21", "SDK Token creation failure.", .sdkTokenFailed),
        status("22", "SDK Token creation success.", .sdkTokenMade),
        status("23", "Failed to process Digital Wallet service.", .walletFailed),
        status("24", "Digital wallet order processed successfully.", .statusOfAnotherService),
        status("27", "Check card balance failed.", .statusOfAnotherService),
        status("28", "Check card balance success.", .statusOfAnotherService),
        status("29", "Redemption failed.", .statusOfAnotherService),
        status("30", "Redemption success.", .statusOfAnotherService),
        status("31", "Reverse Redemption transaction failed.", .statusOfAnotherService),
        status("32", "Reverse Redemption transaction success.", .statusOfAnotherService),
        status("40", "Transaction In review.", .inReview),
        status("42", "Currency conversion success.", .statusOfAnotherService),
        status("43", "Currency conversion failed.", .statusOfAnotherService),
        status("44", "3ds success.", .statusOfAnotherService),
        status("45", "3ds failed.", .statusOfAnotherService),
        status("46", "Bill creation success.", .statusOfAnotherService),
        status("47", "Bill creation failed.", .statusOfAnotherService),
        status("48", "Generating invoice payment link success.", .statusOfAnotherService),
        status("49", "Generating invoice payment link failed.", .statusOfAnotherService),
        status("50", "Batch file upload successfully.", .statusOfAnotherService),
        status("51", "Upload batch file failed.", .statusOfAnotherService),
        status("52", "Token created successfully.", .statusOfAnotherService),
        status("53", "Token creation failed.", .statusOfAnotherService),
        status("54", "Get Tokens Success.", .statusOfAnotherService),
        status("55", "Get Tokens Failed.", .statusOfAnotherService),
        status("56", "Reporting Request Success.", .statusOfAnotherService),
        status("57", "Reporting Request Failed.", .statusOfAnotherService),
        status("58", "Token updated successfully.", .statusOfAnotherService),
        status("59", "Token updated failed.", .statusOfAnotherService),
        status("62", "Get Installment Plans Successfully.", .statusOfAnotherService),
        status("63", "Get Installment plans Failed.", .statusOfAnotherService),
        status("66", "Delete Token Success.", .statusOfAnotherService),
        status("70", "Get batch results successfully.", .statusOfAnotherService),
        status("71", "Get batch results failed.", .statusOfAnotherService),
        status("72", "Batch processing success.", .statusOfAnotherService),
        status("73", "Batch processing failed.", .statusOfAnotherService),
        status("74", "Bank transfer successfully.", .statusOfAnotherService),
        status("75", "Bank transfer failed.", .statusOfAnotherService),
        status("76", "Batch validation successfully.", .statusOfAnotherService),
        status("77", "Batch validation failed.", .statusOfAnotherService),
        status("80", "Credit card verified successfully.", .statusOfAnotherService),
        status("81", "Failed to verify credit card.", .statusOfAnotherService),
        status("88", "ValU OTP Generate Success.", .statusOfAnotherService),
        status("89", "ValU OTP Generate Failure Status", .statusOfAnotherService),
        status("90", "Customer Verify Success.", .statusOfAnotherService),
        status("91", "Customer Verify Failed.", .statusOfAnotherService),
        status("92", "Verify OTP success.", .statusOfAnotherService),
        status("93", "Failed OTP verify.", .statusOfAnotherService),
    ]

    /// Every message, ascending. A message has a class if the class is the same under every failure status;
    /// otherwise the status decides. A message that speaks of something created, paid or under way contradicts a
    /// failure status.
    static let messages: [FortCodeEntry] = [
        message("000", "Success.", .uncertain, .contradiction),
        message("001", "Missing parameter.", .request, .requestMalformed),
        message("002", "Invalid parameter format.", .request, .requestMalformed),
        message(
            "003", "Payment option is not available for this merchant’s account.", .configuration, .paymentMethodOff,
            advice:
                "Ask APS to activate Apple Pay, and the card's scheme, for this merchant account and currency; compare the access code with the one under Apple Pay."
        ),
        message("004", "Invalid command.", .request, .requestMalformed),
        message("005", "Invalid amount.", .request, .amountInvalid),
        message("006", "Technical problem.", .uncertain, .technicalProblem),
        message(
            "007", "Duplicate order number.", .duplicate, .referenceTaken,
            advice:
                "FORT's order of this reference counts as this one if the amount is the same, however old it is: never restart the numbering of orders."
        ),
        message(
            "008", "Signature mismatch.", .signature, .signatureMismatch,
            advice:
                "Compare the SHA request phrase and the SHA type with the dashboard's, character by character; Apple Pay has its own pair. `payrelay fort explain` finds the mistake."
        ),
        message(
            "009", "Invalid merchant identifier.", .configuration, .merchantIdentifierUnknown,
            advice:
                "Compare the merchant identifier with the dashboard's; test and production have different ones."
        ),
        message(
            "010", "Invalid access code.", .configuration, .accessCodeUnknown,
            advice:
                "Compare the access code with the dashboard's: Apple Pay has its own, and test and production have different ones."
        ),
        message("011", "Order not saved.", .uncertain, .orderNotSaved),
        message("012", "Card expired.", .declined, .cardExpired),
        message("013", "Invalid currency.", .request, .currencyUnknown),
        message(
            "014", "Inactive payment option.", .configuration, .paymentMethodOff,
            advice:
                "The payment option is switched off for this account. Ask APS to activate it."
        ),
        message(
            "015", "Inactive merchant account.", .configuration, .accountInactive,
            advice:
                "The merchant account is switched off, or not yet live in this environment. Ask APS."
        ),
        message("016", "Invalid card number.", .declined, .cardNotRecognized),
        message(
            "017", "Operation not allowed by the acquirer.", .configuration, .operationOff,
            advice:
                "The acquiring bank does not permit the operation for this account. Ask APS."
        ),
        message(
            "018", "Operation not allowed by processor.", .configuration, .operationOff,
            advice:
                "The processor does not permit the operation for this account. Ask APS."
        ),
        message(
            "019", "Inactive acquirer.", .configuration, .accountInactive,
            advice:
                "The account's acquirer is switched off. Ask APS."
        ),
        message(
            "020", "Processor is inactive.", .configuration, .accountInactive,
            advice:
                "The account's processor is switched off. Ask APS."
        ),
        message(
            "021", "Payment option deactivated by acquirer.", .configuration, .paymentMethodOff,
            advice:
                "The acquirer has switched the payment option off. Ask APS."
        ),
        message(
            "023", "Currency not accepted by acquirer.", .configuration, .currencyNotTaken,
            advice:
                "The acquirer does not take this currency. Send another, or ask APS for an account in it."
        ),
        message(
            "024", "Currency not accepted by processor.", .configuration, .currencyNotTaken,
            advice:
                "The processor does not take this currency. Send another, or ask APS for an account in it."
        ),
        message(
            "025", "Processor integration settings are missing.", .configuration, .accountUnfinished,
            advice:
                "APS has not finished the account's processor settings. Ask APS."
        ),
        message(
            "026", "Acquirer integration settings are missing.", .configuration, .accountUnfinished,
            advice:
                "APS has not finished the account's acquirer settings. Ask APS."
        ),
        message("027", "Invalid extra parameters.", .request, .requestMalformed),
        message("029", "Insufficient funds.", .declined, .insufficientFunds),
        message("030", "Authentication failed.", .declined, .notAuthenticated),
        message("031", "Invalid issuer.", .declined, .issuerUnknown),
        message("032", "Invalid parameter length.", .request, .requestMalformed),
        message("033", "Parameter value not allowed.", .request, .requestMalformed),
        message("034", "Operation not allowed.", .notAllowed, .stateForbids),
        message("035", "Order created successfully.", .uncertain, .contradiction),
        message("036", "Order not found.", .uncertain, .orderNotFound),
        message("037", "Missing return URL.", nil, .requestMalformed),
        message(
            "038", "Token service inactive.", .configuration, .serviceOff,
            advice:
                "Tokenization is switched off for this account. Ask APS, or leave the token parameters out."
        ),
        message(
            "039", "No active payment option found.", .configuration, .paymentMethodOff,
            advice:
                "No payment option is active for this account. Ask APS to activate Apple Pay."
        ),
        message(
            "040", "Invalid transaction source.", .configuration, .sourceNotListed,
            advice:
                "The request came from an address that the account does not list. Enter the relay's outgoing address in the dashboard under Integration Settings, Security and Technical Settings."
        ),
        message("042", "Operation amount exceeds the authorized amount.", .notAllowed, .moreThanAuthorized),
        message(
            "043", "Inactive Operation.", .configuration, .operationOff,
            advice:
                "The operation (capture, void, refund, …) is switched off for this account. Ask APS to activate it."
        ),
        message("044", "Token name does not exist.", nil, .storedCardUnusable),
        message(
            "046", "Channel is not configured for the selected payment option.", .configuration, .accountUnfinished,
            advice:
                "The channel is not set up for this payment option. Ask APS to set Apple Pay up for it."
        ),
        message("047", "Order already processed.", .duplicate, .alreadyProcessed),
        message("048", "Operation amount exceeds captured amount.", .notAllowed, .moreThanCaptured),
        message(
            "049", "Operation not valid for this payment option.", .configuration, .operationOff,
            advice:
                "The payment option does not have this operation, or is not active: an authorization of a card that can only be purchased, for example. Ask APS which it permits."
        ),
        message("050", "Merchant per transaction limit exceeded.", .declined, .merchantLimit),
        message("051", "Technical error.", .uncertain, .technicalProblem),
        message("052", "Consumer is not in OLP database.", nil, .onlineAccountUnknown),
        message("053", "Merchant is not found in OLP Engine DB.", nil, .merchantUnknown),
        message("054", "Transaction cannot be processed at this moment.", .uncertain, .technicalProblem),
        message("055", "OLP ID Alias is not valid. Please contact your bank.", nil, .onlineAccountUnknown),
        message("056", "OLP ID Alias does not exist. Please enter a valid OLP ID Alias.", nil, .onlineAccountUnknown),
        message("057", "Transaction amount exceeds the daily transaction limit.", .declined, .dailyLimit),
        message("058", "Transaction amount exceeds the per transaction limit.", .declined, .amountLimit),
        message("059", "Merchant Name and SADAD Merchant ID do not match.", nil, .merchantUnknown),
        message(
            "060", "The entered OLP password is incorrect. Please provide a valid password.", nil, .passwordIncorrect),
        message("062", "Token has been created.", .uncertain, .contradiction),
        message("063", "Token has been updated.", .uncertain, .contradiction),
        message("064", "3-D Secure check requested.", .uncertain, .waitsForCustomer),
        message("065", "Transaction waiting for customer’s action.", .uncertain, .waitsForCustomer),
        message("066", "Merchant reference already exists.", .duplicate, .referenceTaken),
        message("067", "Dynamic Descriptor not configured for selected payment option.", nil, .accountUnfinished),
        message(
            "068", "SDK service is inactive.", .configuration, .serviceOff,
            advice:
                "FORT's mobile SDK service is switched off for this account. Ask APS to activate it."
        ),
        message("069", "Mapping not found for the given error code.", .uncertain, .answerNotTranslated),
        message("070", "device_id mismatch.", nil, .requestMalformed),
        message("071", "Failed to initiate connection.", .uncertain, .technicalProblem),
        message("072", "Transaction has been cancelled by the consumer.", .declined, .canceled),
        message("073", "Invalid request format.", .request, .requestMalformed),
        message("074", "Transaction failed.", .declined, .failed),
        message("075", "Transaction failed.", .declined, .failed),
        message("076", "Transaction not found in OLP.", nil, .onlineAccountUnknown),
        message("077", "Error transaction code not found.", nil, .failed),
        message(
            "078", "Failed to check fraud screen.", .configuration, .fraudServiceUnfinished,
            advice:
                "The account's fraud service is switched on and not set up. Ask APS; send customer_ip, which it may need. After status 10 the outcome is open."
        ),
        message("079", "Transaction challenged by fraud rules.", .declined, .fraudRulesChallenged),
        message("080", "Invalid payment option.", .request, .requestMalformed),
        message(
            "082", "Inactive fraud service.", .configuration, .fraudServiceUnfinished,
            advice:
                "The request needs the fraud service, and it is switched off for this account. Ask APS."
        ),
        message("083", "Unexpected user behavior.", .declined, .behaviorUnexpected),
        message(
            "084",
            "Transaction amount is either bigger than maximum or less than minimum amount accepted for the selected plan.",
            nil, .amountOutsideService),
        message("086", "Installment plan is not configured for Merchant account.", nil, .installmentsUnfit),
        message("087", "Card BIN does not match accepted issuer bank.", nil, .cardNotTaken),
        message("088", "Token name was not created for this transaction.", nil, .storedCardUnusable),
        message(
            "089", "Failed to retrieve digital wallet details.", .token, .tokenUnusable,
            advice:
                "FORT could not open Apple's token. The Apple Pay payment processing certificate in FORT's dashboard must be the one that the token's publicKeyHash names, and the token must be of this environment."
        ),
        message("090", "Transaction in review.", .uncertain, .inReview),
        message("092", "Invalid issuer code.", nil, .installmentsUnfit),
        message(
            "093", "service inactive.", .configuration, .serviceOff,
            advice:
                "A service that the request needs is switched off for this account. Ask APS which."
        ),
        message("094", "Invalid Plan Code.", nil, .installmentsUnfit),
        message("095", "Inactive Issuer.", nil, .installmentsUnfit),
        message("096", "Inactive Plan.", nil, .installmentsUnfit),
        message(
            "097", "Operation not allowed for service.", .configuration, .operationOff,
            advice:
                "The service does not have this operation. Compare digital_wallet, command and eci with the documentation."
        ),
        message("098", "Invalid or expired call_id.", nil, .otherServiceFailed),
        message(
            "099", "Failed to execute service.", .token, .tokenUnusable,
            advice:
                "FORT could not use Apple's token. Seen after certificates were renewed: APS must have the key of the payment processing certificate that Apple activated. Check too that the token is of this environment."
        ),
        message("100", "Invalid expiry date.", nil, .expiryDateInvalid),
        message("101", "Bill number not found.", nil, .invoiceUnfit),
        message(
            "102", "Apple Pay order has been expired.", .token, .tokenExpired,
            advice:
                "Apple's token is too old. Send it as soon as the customer has approved it, and never again; check what it waits for."
        ),
        message("103", "Duplicate subscription ID.", nil, .otherServiceFailed),
        message("104", "No plans valid for request.", nil, .installmentsUnfit),
        message("105", "Invalid bank code.", nil, .otherServiceFailed),
        message("106", "Inactive bank.", nil, .otherServiceFailed),
        message("107", "Invalid transfer_date.", nil, .otherServiceFailed),
        message("110", "Contradicting parameters, please refer to the integration guide.", .request, .requestMalformed),
        message(
            "111", "Service not applicable for payment option.", .configuration, .serviceOff,
            advice:
                "The service in the request is not for this payment option. Leave it out, or ask APS."
        ),
        message(
            "112", "Service not applicable for payment operation.", .configuration, .serviceOff,
            advice:
                "The service in the request is not for this command. Leave it out, or ask APS."
        ),
        message(
            "113", "Service not applicable for e-commerce indicator.", .configuration, .serviceOff,
            advice:
                "The service in the request is not for this e-commerce indicator. Compare eci."
        ),
        message("114", "Token already exist.", nil, .requestMalformed),
        message("115", "Expired invoice payment link.", nil, .invoiceUnfit),
        message("116", "Inactive notification type.", nil, .serviceOff),
        message("117", "Invoice payment link already processed.", .uncertain, .otherServiceOpen),
        message("118", "Order bounced.", .declined, .dropped),
        message("119", "Request dropped.", .declined, .dropped),
        message("120", "Payment link terms and conditions not found.", nil, .invoiceUnfit),
        message("121", "Card number is not verified.", nil, .storedCardUnusable),
        message("122", "Invalid date interval.", nil, .otherServiceFailed),
        message("123", "You have exceeded the maximum number of attempts.", .declined, .tooManyTries),
        message("124", "Account successfully created.", .uncertain, .contradiction),
        message("125", "Invoice already paid.", .uncertain, .otherServiceOpen),
        message("126", "Duplicate invoice ID.", nil, .invoiceUnfit),
        message("127", "Merchant reference is not generated yet.", nil, .otherServiceFailed),
        message(
            "128", "The generated report is still pending, you can’t download it now.", .uncertain, .otherServiceOpen),
        message("129", "“Downloaded report” queue is full. Wait till its empty again.", nil, .otherServiceFailed),
        message("134", "Your search results have exceeded the maximum number of records.", nil, .otherServiceFailed),
        message("136", "The Batch file validation is failed.", nil, .otherServiceFailed),
        message("137", "Invalid Batch file execution date.", nil, .otherServiceFailed),
        message("138", "The Batch file still under validation.", .uncertain, .otherServiceOpen),
        message("140", "The Batch file still under processing.", .uncertain, .otherServiceOpen),
        message("141", "The Batch reference does not exist.", nil, .otherServiceFailed),
        message("142", "The Batch file header is invalid.", nil, .otherServiceFailed),
        message("144", "Invalid Batch file.", nil, .otherServiceFailed),
        message("146", "The Batch reference is already exist.", nil, .otherServiceFailed),
        message("147", "The Batch process request has been received.", .uncertain, .otherServiceOpen),
        message("148", "Batch file will be processed.", .uncertain, .otherServiceOpen),
        message("149", "Payment link request id not found.", nil, .invoiceUnfit),
        message("150", "Payment link is already open.", nil, .invoiceUnfit),
        message("151", "3ds_id does not exist.", nil, .authenticationOfAnother),
        message("152", "3Ds verification doesn’t match the request details.", nil, .authenticationOfAnother),
        message("154", "You have reached the maximum number of upload retries.", nil, .otherServiceFailed),
        message("155", "The upload retries is not configured.", nil, .accountUnfinished),
        message("181", "You didn’t reach the minimum amount for this service.", nil, .amountOutsideService),
        message("221", "You exceeded the maximum amount for this service.", nil, .amountOutsideService),
        message(
            "225", "This operation is not permitted for merchant to use.", .configuration, .operationOff,
            advice:
                "The account is not permitted this operation. Ask APS."
        ),
        message(
            "662", "Operation not allowed. The specified order is not confirmed yet.", .notAllowed, .orderNotConfirmed),
        message("666", "Transaction declined.", .declined, .declined),
        message("746", "Purchase amount is more than the customer limit", .declined, .amountLimit),
        message("747", "Insufficient Wallet Balance", .declined, .insufficientFunds),
        message(
            "748", "PARAMETER_MISMATCH — Send OTP and purchase request parameters do not match.", nil, .requestMalformed
        ),
        message("773", "Transaction closed.", .declined, .closed),
        message(
            "777", "The transaction has been processed, but failed to receive confirmation.", .uncertain,
            .confirmationLost),
        message("778", "Session timed-out.", .uncertain, .sessionTimedOut),
        message("779", "Transformation error.", .uncertain, .answerNotTranslated),
        message("780", "Transaction number transformation error.", .uncertain, .answerNotTranslated),
        message("781", "Message or response code transformation error.", .uncertain, .answerNotTranslated),
        message("783", "Installments service inactive.", nil, .installmentsUnfit),
        message(
            "784", "Transaction still processing you can’t make another transaction.", .duplicate, .stillProcessing),
        message("785", "Transaction blocked by fraud check.", .declined, .fraudCheckBlocked),
        message("787", "Failed to authenticate the user.", .declined, .notAuthenticated),
        message("788", "Invalid bill number.", nil, .invoiceUnfit),
        message("789", "Expired bill number.", nil, .invoiceUnfit),
        message("790", "Invalid bill type code.", nil, .invoiceUnfit),
        message("983", "Minimum time between two One Time Password attempt is 60 seconds.", nil, .codeAskedTooSoon),
    ]

    /// Every value of `acquirer_response_code`, ascending: the code of the bank that acquires the merchant's
    /// payments, as FORT passes it on.
    ///
    /// Acquirers use different numbers, so one code may have several meanings. An acquirer's code never decides
    /// the outcome of a payment: FORT's ``FortCode`` does.
    public static let ofAcquirers: [FortCodeEntry] = [
        acquirer("0", .acquirerUnexplained, "0"),
        acquirer("00", .acquirerApproved, "Success"),
        acquirer("0000", .acquirerApproved, "Payment processed successfully"),
        acquirer("01", .bankWantsCall, "Refer to issuer"),
        acquirer("03", .merchantUnknown, "Invalid merchant"),
        acquirer("04", .cardBlocked, "Pick up card"),
        acquirer("05", .bankDeclined, "Do not honor"),
        acquirer("100", .acquirerApproved, "Approved"),
        acquirer("101", .acquirerAmbiguous, "The request is missing one or more required fields", "TS"),
        acquirer("102", .requestMalformed, "One or more fields in the request contains invalid data"),
        acquirer("104", .codeIncorrect, "INVALID_OTP"),
        acquirer("109", .requestMalformed, "INVALID_PRODUCT_DETAIL"),
        acquirer("110", .requestMalformed, "INVALID_ORDERID"),
        acquirer("115", .requestMalformed, "INVALID_SESSION"),
        acquirer("12", .bankFoundInvalid, "Invalid transaction"),
        acquirer("13", .amountInvalid, "Invalid amount"),
        acquirer("14", .cardNotRecognized, "Invalid card number", "Invalid card number (no such number)"),
        acquirer("15", .issuerUnknown, "No such Issuer"),
        acquirer("150", .acquirerFault, "General system failure"),
        acquirer("2", .bankWantsCall, "Refer to issuers special conditions"),
        acquirer("201", .bankWantsCall, "The issuing bank has questions about the request"),
        acquirer("202", .cardExpired, "Expired card"),
        acquirer("203", .bankDeclined, "General decline of the card"),
        acquirer("204", .insufficientFunds, "Insufficient funds"),
        acquirer("205", .cardBlocked, "Stolen or lost card"),
        acquirer("208", .cardNotPermitted, "Inactive card or card not authorized for CNP Tx"),
        acquirer("210", .creditLimit, "Credit limit reached"),
        acquirer("211", .securityCodeInvalid, "Invalid CVN"),
        acquirer(
            "230", .securityCodeStoppedApproval, "Approved by Issuer but declined by CyberSource due to CVN check"),
        acquirer("231", .cardNotRecognized, "Invalid account number"),
        acquirer("232", .cardNotTaken, "Card type not accepted"),
        acquirer("233", .bankDeclined, "General decline by the processor"),
        acquirer("25", .recordMissing, "Unable to locate record on file"),
        acquirer("2994", .acquirerPending, "Payment method selected"),
        acquirer("2996", .canceled, "Cancelled before payment method selection"),
        acquirer("30", .requestMalformed, "Format Error"),
        acquirer("3000", .acquirerFailed, "Payment failed"),
        acquirer("39", .cardAccountMissing, "No credit account"),
        acquirer("400", .requestMalformed, "Bad request"),
        acquirer("4004", .customerBlocked, "You have been blacklisted, you cannot make payments"),
        acquirer("401", .bankWantsCall, "Call Issuer"),
        acquirer("41", .cardBlocked, "Lost card"),
        acquirer("42", .cardAccountMissing, "No Universal account"),
        acquirer("43", .cardBlocked, "Stolen card, pick up"),
        acquirer("47", .acquirerUnexplained, "Reserved for ISO use"),
        acquirer("51", .insufficientFunds, "Insufficient funds"),
        acquirer("54", .cardExpired, "Expired card"),
        acquirer("55", .codeIncorrect, "Incorrect PIN"),
        acquirer("57", .cardNotPermitted, "Transaction not permitted to card holder"),
        acquirer("58", .merchantUnknown, "Transaction not permitted to terminal"),
        acquirer("59", .bankSecurityRules, "Suspected fraud"),
        acquirer("61", .amountLimit, "Exceeds withdrawal amount limits"),
        acquirer("62", .cardNotPermitted, "Restricted card"),
        acquirer("63", .bankSecurityRules, "Security violation"),
        acquirer("65", .dailyLimit, "Exceeds withdrawal frequency limit"),
        acquirer("68", .bankAnsweredLate, "Response received too late"),
        acquirer("7", .cardBlocked, "Pick up card, special condition"),
        acquirer("70", .acquirerUnexplained, "Reserved for ISO use"),
        acquirer("75", .tooManyTries, "Allowable number of PIN tries exceeded"),
        acquirer("79", .acquirerAmbiguous, "Reserved for Private use", "Invalid digital signature"),
        acquirer("80", .acquirerUnexplained, "Reserved for Private use"),
        acquirer("81", .acquirerUnexplained, "Reserved for Private use"),
        acquirer("82", .acquirerAmbiguous, "Count exceeds limit", "Reserved for Private use"),
        acquirer("83", .acquirerAmbiguous, "Card issuer suspects fraud", "Reserved for Private use"),
        acquirer("8400", .acquirerFault, "One Time Password abnormal error"),
        acquirer("8500", .accountUnfinished, "OTP solution has not been configured correctly"),
        acquirer("8600", .requestMalformed, "Some parameters regarding the OTP solution have not been received"),
        acquirer("8700", .codeIncorrect, "One Time Password is incorrect"),
        acquirer("900", .merchantUnknown, "Invalid Terminal Channel"),
        acquirer("9001", .acquirerFailed, "Payment failed"),
        acquirer("901", .acquirerSawTwice, "Request already executed before"),
        acquirer("902", .acquirerFault, "Technical Error"),
        acquirer("91", .bankUnreachable, "Issuer or switch inoperative"),
        acquirer(
            "92", .bankUnreachable, "Financial Institution or intermediate network facility cannot be found for routing"
        ),
        acquirer("94", .acquirerSawTwice, "Duplicate transmission"),
        acquirer("96", .acquirerFault, "System malfunction"),
        acquirer("B", .acquirerRiskRules, "Acquirer fraud rule blocked"),
        acquirer("BLOCKED", .acquirerRiskRules, "Acquirer fraud rule blocked"),
        acquirer("CANCELED", .canceled, "Cancelled"),
        acquirer("CAPTURED", .acquirerApproved, "Captured"),
        acquirer("E000002", .acquirerUnexplained, "N/A"),
        acquirer("E019004", .acquirerUnexplained, "N/A"),
        acquirer("E999999", .acquirerFault, "Transaction can not be processed at this moment"),
        acquirer("ERR_102", .merchantUnknown, "PERMISSION_FAIL"),
        acquirer("ERR_106", .insufficientFunds, "Insufficient funds", "INSUFFICIENT_BALANCE"),
        acquirer("ERR_119", .requestMalformed, "INVALID_PURCHASE_REQUEST"),
        acquirer("EXCEEDED_RETRY_LIMIT", .tooManyTries, "Exceeded retry limit"),
        acquirer("FAILURE(DENIED BY RISK)", .acquirerRiskRules, "Failed; denied by risk rule"),
        acquirer("FAILURE(HOST TIMEOUT)", .bankAnsweredLate, "Failed; host timeout"),
        acquirer("FAILURE(NOT CAPTURED)", .acquirerFailed, "Failed; not captured"),
        acquirer("FAILURE(SUSPECT)", .acquirerRiskRules, "Failed; suspect"),
        acquirer("I000000", .acquirerApproved, "Payment processed successfully"),
        acquirer("NOT CAPTURED", .acquirerFailed, "Not captured"),
        acquirer("PENDING", .acquirerPending, "Pending"),
        acquirer("SUCCESS", .acquirerApproved, "Success"),
        acquirer("SYSTEM_ERROR", .acquirerFault, "System error"),
        acquirer("TIMED_OUT", .bankAnsweredLate, "Timed out"),
        acquirer("UNKNOWN", .acquirerUnexplained, "Unknown"),
        acquirer("false", .acquirerUnexplained, "False"),
    ]

    private static func status(_ code: String, _ text: String, _ situation: FortSituation) -> FortCodeEntry {
        FortCodeEntry(.status, code, [text], class: classOfStatus(code), situation)
    }

    private static func message(
        _ code: String, _ text: String, _ class: FortCode.Class?, _ situation: FortSituation, advice: String? = nil
    ) -> FortCodeEntry {
        FortCodeEntry(.message, code, [text], class: `class`, situation, advice: advice)
    }

    private static func acquirer(_ code: String, _ situation: FortSituation, _ texts: String...) -> FortCodeEntry {
        FortCodeEntry(.acquirer, code, texts, class: nil, situation)
    }

    /// Returns the class of a status: `success` if a command's success code begins with the status; `nil` for a
    /// failure, whose message decides.
    private static func classOfStatus(_ status: String) -> FortCode.Class? {
        switch FortStatus(status) {
        case .done: .success
        case .undecided: .uncertain
        case .chargeFailed, .operationFailed, .requestInvalid, .walletFailed, .queryFailed: nil
        }
    }
}
