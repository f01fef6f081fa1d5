import ApplePayToken
import PayrelayPrimitives

/// R3: a repeated request gets the stored answer, byte for byte, and charges nothing.
extension PaymentRelay {
    /// Returns the stored answer to a request whose reference is already claimed.
    ///
    /// - Throws: ``PaymentRefusal/referenceTaken(differing:)`` if the claim belongs to a different request;
    ///   ``PaymentRefusal/inFlight`` while the claim has no answer; ``PaymentRefusal/recordUnreadable`` if the stored
    ///   answer cannot be read.
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

    /// Returns the stored answer to a request that cannot be charged now.
    ///
    /// A token becomes too old while its payment remains, and an account may not be verified since the last start.
    /// A repeated request gets its stored answer all the same.
    ///
    /// - Throws: `refusal` if the request was not made before; ``PaymentRefusal/idempotencyKeyTaken`` if its key
    ///   belongs to another request; ``PaymentRefusal/journalUnavailable(reason:)`` if the journal cannot be read.
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

    /// Returns what an idempotency key belongs to; `nil` if the key is free, or if there is no key.
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

    /// Returns the names of the members whose values differ between a request and the request that made this
    /// payment. Values are never returned, because the client may have guessed the reference.
    ///
    /// Members that the journal does not keep, or has erased, are not compared, so the list can be empty. The
    /// result is `nil` if the payment belongs to another client, or is external.
    func members(differingFrom request: PaymentRequest) -> [String]? {
        guard client == request.client, !isMadeElsewhere else { return nil }
        let order = request.order
        let details = CustomerDetails(of: order, token: request.token)
        let token =
            request.isSimulated
            ? PaymentToken.simulatedIdentifier : request.token?.header.transactionId.text.lowercasedASCII
        // If the first request left a value out, the gateway's answer may have supplied it.
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
