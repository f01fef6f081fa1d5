import ApplePayToken
import PayrelayPrimitives

/// R3: the same request again gets the stored answer, byte for byte, and charges nothing.
extension PaymentRelay {
    /// The stored answer to a request whose reference is claimed.
    ///
    /// - Throws: ``PaymentRefusal/referenceTaken`` for another request, ``PaymentRefusal/inFlight`` while there is no answer.
    func storedAnswer(
        of known: Payment, to request: PaymentRequest, steps: StepTimes
    ) throws(PaymentRefusal) -> PaymentReply {
        guard known.fingerprint == request.fingerprint, known.client == request.client else {
            throw .referenceTaken(differing: known.members(differingFrom: request))
        }
        var known = known
        known.receipt = known.receipt ?? known.answerOfArchived
        guard let receipt = known.receipt else { throw .inFlight }
        guard Receipt.isReadable(receipt) else { throw .recordUnreadable }
        return PaymentReply(payment: known, isReplay: true, steps: steps)
    }

    /// Returns the stored answer to a request that cannot be charged now. A token ages while its payment stands, and an account may not be
    /// verified since the last start: the same request again gets its stored answer all the same.
    ///
    /// - Throws: `refusal` if the request was not made before, ``PaymentRefusal/idempotencyKeyTaken`` if its key belongs to another
    ///   request.
    func storedAnswer(
        to request: PaymentRequest, orRefuse refusal: PaymentRefusal, steps: StepTimes
    ) async throws(PaymentRefusal) -> PaymentReply {
        let known: Payment?
        let use: KeyUse?
        do throws(JournalError) {
            known = try await journal.payment(request.order.merchantReference)
            use = try await keyUse(request.journaledKey)
        } catch {
            if case .unreadable = error { throw .recordUnreadable }
            throw .journalUnavailable(reason: "the journal could not be read")
        }
        guard let known, known.state != .notSent, known.fingerprint == request.fingerprint else {
            throw refusal
        }
        if let use, use != KeyUse(of: known.merchantReference) { throw .idempotencyKeyTaken }
        return try storedAnswer(of: known, to: request, steps: steps)
    }

    /// Returns what a key belongs to; `nil` if it is free, or there is no key.
    func keyUse(_ journaledKey: String?) async throws(JournalError) -> KeyUse? {
        guard let journaledKey else { return nil }
        return try await journal.use(ofKey: journaledKey)
    }
}

extension Payment {
    /// The members that ``members(differingFrom:)`` compares: those whose values the journal keeps.
    public static let comparedMembers = [
        "account", "amount", "command", "currency", "customer_email", "customer_name", "phone_number", "token",
    ]

    /// Returns the names of the members of a request that differ from those of the request that made this payment. Never values: the
    /// reference may have been guessed.
    ///
    /// Members that the journal does not keep, or has erased, are not compared, so that the list can be empty. It is `nil` if the payment
    /// is another client's, or an external one.
    func members(differingFrom request: PaymentRequest) -> [String]? {
        guard client == request.client, !isMadeElsewhere else { return nil }
        let order = request.order
        let details = CustomerDetails(of: order, token: request.token)
        let token =
            request.isSimulated
            ? PaymentToken.simulatedIdentifier : request.token?.header.transactionId.text.lowercasedASCII
        // A gateway's answer can have completed what the first request left out.
        func differs(_ kept: String?, _ sent: String?) -> Bool { holdsCustomerData && sent != nil && kept != sent }
        let differing = [
            "account": account != order.account, "amount": amount != order.amount, "command": command != order.command,
            "currency": currency != order.currency, "customer_email": differs(customer.email, details.email),
            "customer_name": differs(customer.name, details.name),
            "phone_number": differs(customer.phoneNumber, details.phoneNumber),
            "token": appleTransactionIdentifier != token,
        ]
        return Self.comparedMembers.filter { differing[$0] == true }
    }
}
