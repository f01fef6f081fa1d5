public import FoundationEssentials
import Logging
import PayrelayPrimitives

/// Customer data is kept only as long as the policy says; the money's history stays.
extension PaymentRelay {
    /// Erases the customer data of payments that are older than ``Policy/retention``, again and again, until its task
    /// is cancelled.
    ///
    /// - Parameter interval: between the end of one run and the next.
    public func enforceRetention(every interval: Duration = .seconds(3_600)) async {
        while !Task.isCancelled {
            do {
                let count = try await journal.eraseCustomerData(claimedBefore: now() - policy.retention, at: now())
                if count > 0 { logger.info("customer data erased", metadata: ["payments": "\(count)"]) }
            } catch {
                logger.error("customer data could not be erased", metadata: ["error": "\(error)"])
            }
            do {
                // Each time: a command that erases beside the relay may have been prevented.
                try await journal.purge(at: now())
            } catch {
                logger.warning("erased data may still be in the journal's files", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: interval)
        }
    }
}

extension Journal {
    /// Erases the customer data of a payment's receipts and events. An open payment is left: its receipt is still to
    /// come.
    ///
    /// - Returns: false where there is no such payment, or it is open.
    public func eraseCustomerData(
        of merchantReference: String, at moment: Date, because source: HistorySource = .commandLine
    ) async throws(JournalError) -> Bool {
        // Each further attempt means that another request has changed the payment in between.
        for _ in 0..<PaymentRelay.attempts {
            guard let payment = try await payment(merchantReference), !payment.isOpen else { return false }
            guard payment.holdsCustomerData else { return true }
            // Before the receipts, which say that there is nothing left to erase.
            try await eraseEvents(of: merchantReference)
            let entry = HistoryEntry(
                at: moment, state: payment.state, balance: payment.balance, source: source,
                reason: "customer data erased")
            let change = JournaledChange(from: payment, to: payment.withoutCustomerData, entry: entry)
            if try await commit(change, if: .sameVersion) {
                // Attempts that came in between.
                try await redactEvents(of: merchantReference, to: [:])
                return true
            }
        }
        throw .contended
    }

    private func eraseEvents(of merchantReference: String) async throws(JournalError) {
        var redacted: [Int: [UInt8]] = [:]
        for entry in try await history(of: merchantReference) {
            guard let event = entry.event else { continue }
            let erased = CustomerData.erased(from: event)
            if erased != event { redacted[entry.number] = erased }
        }
        try await redactEvents(of: merchantReference, to: redacted)
    }

    /// Erases it for every settled payment claimed before `moment`. A payment whose record cannot be read, or that
    /// others keep changing, is left, and stops none of the others.
    ///
    /// - Returns: how many were erased.
    func eraseCustomerData(claimedBefore moment: Date, at now: Date) async throws(JournalError) -> Int {
        var count = 0
        var place: PaymentCursor?
        while !Task.isCancelled {
            let page = try await list(.holdingCustomerData(claimedBefore: moment), after: place, limit: 100)
            for payment in page {
                do throws(JournalError) {
                    if try await eraseCustomerData(of: payment.merchantReference, at: now, because: .retention) {
                        count += 1
                    }
                } catch {
                    switch error {
                    // The journal has called its observer with the record.
                    case .unreadable, .contended: continue
                    case .unavailable, .outcomeUnknown, .overloaded: throw error
                    }
                }
            }
            guard let last = page.last else { break }
            place = last
        }
        return count
    }
}

extension Payment {
    fileprivate var withoutCustomerData: Payment {
        var payment = self
        payment.receipt = receipt.map(CustomerData.erased)
        payment.operations = operations.map { operation in
            var operation = operation
            operation.receipt = operation.receipt.map(CustomerData.erased)
            return operation
        }
        payment.cardLastFour = nil
        payment.emailDigest = nil
        payment.summary = CustomerData.erased(from: payment.summary)
        payment.holdsCustomerData = false
        payment.version += 1
        return payment
    }
}

/// What a payment's receipts and events hold of the customer, because the processor returns the fields it was sent.
enum CustomerData {
    /// What identifies the customer, by the processors' names. No event ever holds it; of the card an event holds what was answered for
    /// later charges.
    static let identity: Set<String> = [
        "customer_email", "customer_ip", "customer_name", "phone_number", "device_fingerprint",
    ]

    /// What may stay: the money's history, in this service's names and in the processors'. All else is erased, whatever a processor adds
    /// tomorrow: the customer's identity, the card and what charges it again, and the fields in which a merchant may have written
    /// anything.
    static let kept: Set<String> = [
        // This service's.
        "account", "amount", "apple_transaction_identifier", "captured_amount", "command", "currency", "id",
        "made_elsewhere",
        "maintenance_reference", "merchant_reference", "occurred_at", "operation", "outcome", "payment",
        "processor_response", "reason", "refunded_amount", "response_class", "simulated", "type", "unproven",
        // The processors'.
        "acquirer_response_code", "acquirer_response_message", "authorization_code", "authorized_amount",
        "digital_wallet", "eci", "fort_id", "language", "payment_option", "processor_response_code", "query_command",
        "reconciliation_reference", "recurring_mode", "response_code", "response_message", "service_command", "status",
        "transaction_code", "transaction_message", "transaction_status",
    ]

    /// A receipt, or an event, with nothing but what may stay; the very bytes where there was nothing else.
    static func erased(from bytes: [UInt8]) -> [UInt8] {
        guard let json = try? JSON(parsing: bytes) else { return bytes }
        let erased = json.filteringMembers { kept.contains($0) }
        return erased == json ? bytes : erased.encoded()
    }

    /// What may stay of a summary.
    static func erased(from summary: JSONObject) -> JSONObject { summary.filteringMembers { kept.contains($0) } }

    /// Members without what identifies the customer.
    static func withoutIdentity(_ object: JSONObject) -> JSONObject {
        object.filteringMembers { !identity.contains($0) }
    }
}

extension JSONObject {
    /// The members whose names stay, at every depth.
    fileprivate func filteringMembers(_ stays: (String) -> Bool) -> JSONObject {
        JSONObject(members.filter { stays($0.name) }.map { ($0.name, $0.value.filteringMembers(stays)) })
    }
}

extension JSON {
    fileprivate func filteringMembers(_ stays: (String) -> Bool) -> JSON {
        switch self {
        case .object(let object): .object(object.filteringMembers(stays))
        case .array(let elements): .array(elements.map { $0.filteringMembers(stays) })
        case .null, .bool, .number, .string: self
        }
    }
}
