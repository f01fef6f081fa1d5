public import FoundationEssentials
import Logging
import PayrelayPrimitives

/// Customer data is kept only as long as the policy says. The financial history stays.
extension PaymentRelay {
    /// Erases the customer data of payments that are older than ``Policy/retention``, again and again, until the
    /// current task is cancelled.
    public func enforceRetention() async {
        while !Task.isCancelled {
            do {
                let count = try await journal.eraseCustomerData(
                    claimedBefore: now() - policy.retention, at: now(), knowing: gateways.vocabulary)
                if count > 0 { logger.info("customer data erased", metadata: ["payments": "\(count)"]) }
            } catch {
                logger.error("customer data could not be erased", metadata: ["error": "\(error)"])
            }
            do {
                // Purge each time, because the purge of a command that erased data may have been prevented.
                try await journal.purge(at: now())
            } catch {
                logger.warning("erased data may still be in the journal's files", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}

extension Journal {
    /// Erases the customer data in a payment's receipts, events and notes, unless an obstacle prevents it
    /// (``Payment/erasureObstacle``).
    ///
    /// - Parameters:
    ///   - email: the customer's email. If the payment belongs to another customer by now, nothing is erased. `nil`
    ///     erases in any case.
    ///   - start: notes and reasons that operators wrote then or later stay; `nil` erases all of them.
    ///   - vocabulary: the members of gateways' answers that may stay. For a gateway that is not in it, only this
    ///     service's members stay.
    ///   - request: the identifier of the HTTP request that caused the erasure, for the history; `nil` if none did.
    /// - Returns: `false` if there is no such payment, if an obstacle prevents the erasure, if the payment belongs to
    ///   another customer by now, or if the payment only holds data that stays. `true` also if the payment's customer
    ///   data is erased already.
    public func eraseCustomerData(
        of merchantReference: String, with email: EmailDigest? = nil, keepingNotesSince start: Date? = nil,
        at moment: Date, knowing vocabulary: AnswerVocabulary, because source: HistorySource = .commandLine,
        request: String? = nil
    ) async throws(JournalError) -> Bool {
        // Each further attempt means that another request has changed the payment in between.
        for _ in 0..<PaymentRelay.attempts {
            guard let payment = try await payment(merchantReference), payment.erasureObstacle == nil,
                email == nil || payment.emailDigest == email
            else { return false }
            guard payment.holdsCustomerData else { return true }
            let data = CustomerData(in: vocabulary[payment.gateway])
            let history = try await self.history(of: merchantReference)
            let lastNote = start.map { start in history.last { $0.at < start }?.number ?? 0 } ?? Int.max
            let redaction = Change.Redaction(events: data.erased(from: history), lastNote: lastNote)
            var erased = payment.without(data, keepingReasonsSince: start)
            erased.holdsCustomerData =
                history.contains { $0.number > lastNote && $0.note != nil }
                || erased.operations.contains { $0.givenReason != nil }
            // Later, `forget` must still find the notes that stay, by the email's digest.
            if !erased.holdsCustomerData { erased.emailDigest = nil }
            // Retention runs again until the last of the notes is old enough.
            if erased == payment, redaction.events.isEmpty,
                !history.contains(where: { $0.number <= lastNote && $0.note != nil }),
                try await !holdsAnswers(toEventsOf: merchantReference)
            {
                return false
            }
            let change = Change(
                before: payment, after: erased, kind: .erasure, origin: Origin(source, request: request),
                reason: "customer data erased", at: moment, redaction: redaction)
            if try await commit(change) == .written { return true }
        }
        throw .contended
    }

    /// Returns whether the journal has an answer of the merchant's backend to one of the payment's events.
    private func holdsAnswers(toEventsOf merchantReference: String) async throws(JournalError) -> Bool {
        let attempts = try await eventProgress(of: merchantReference)?.attempts ?? [:]
        return attempts.values.contains { $0.newest.contains { $0.answer != nil } }
    }

    /// Erases the customer data of every settled payment claimed before `moment`, except what operators have
    /// written since then: a dispute may begin months after the order. A payment whose record cannot be read, or
    /// that others keep changing, is skipped.
    ///
    /// - Returns: how many payments were erased.
    func eraseCustomerData(
        claimedBefore moment: Date, at now: Date, knowing vocabulary: AnswerVocabulary
    ) async throws(JournalError) -> Int {
        // As many concurrent commits can share one write of the journal. More would delay payments.
        let atOnce = 8
        var count = 0
        var place: PaymentCursor?
        while !Task.isCancelled {
            let page = try await list(.holdingCustomerData(claimedBefore: moment), after: place, limit: atOnce)
            let results = await withTaskGroup(of: Result<Bool, JournalError>.self) { group in
                for payment in page {
                    group.addTask {
                        await self.erasedByRetention(
                            payment.merchantReference, keepingNotesSince: moment, at: now, knowing: vocabulary)
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for result in results {
                switch result {
                case .success(let isErased): count += isErased ? 1 : 0
                // The journal has called its observer with the record.
                case .failure(.unreadable), .failure(.contended): break
                case .failure(let error): throw error
                }
            }
            guard let last = page.last else { break }
            place = last
        }
        return count
    }

    private func erasedByRetention(
        _ merchantReference: String, keepingNotesSince start: Date, at moment: Date,
        knowing vocabulary: AnswerVocabulary
    ) async -> Result<Bool, JournalError> {
        do throws(JournalError) {
            return .success(
                try await eraseCustomerData(
                    of: merchantReference, keepingNotesSince: start, at: moment, knowing: vocabulary,
                    because: .retention))
        } catch {
            return .failure(error)
        }
    }
}

extension Payment {
    /// Returns the payment without customer data.
    ///
    /// - Parameter start: reasons that operators gave then or later stay; `nil` erases all.
    fileprivate func without(_ data: CustomerData, keepingReasonsSince start: Date?) -> Payment {
        var payment = self
        payment.receipt = receipt.map(data.erased)
        payment.operations = operations.map { operation in
            var operation = operation
            operation.receipt = operation.receipt.map(data.erased)
            if start.map({ operation.begunAt < $0 }) ?? true { operation.givenReason = nil }
            return operation
        }
        payment.cardLastFour = nil
        payment.customer = CustomerDetails()
        payment.summary = data.erased(from: payment.summary)
        return payment
    }
}

/// The rule that removes customer data from receipts and events. They contain it because gateways return the fields
/// that they were sent.
struct CustomerData {
    /// The names of the members that stay: the payment's financial history, in this service's and the gateway's
    /// names. All other members are erased, including those that a gateway adds later. Erased are, for example, the
    /// customer's identity, the card, tokens that can charge the card again, and free-text fields of the merchant.
    private let kept: Set<String>

    init(in fields: AnswerFields) {
        kept = Self.own.union(fields.kept)
    }

    private static let own: Set<String> = [
        "account", "amount", "apple_transaction_identifier", "captured_amount", "command", "currency", "id",
        "made_elsewhere", "maintenance_reference", "merchant_reference", "occurred_at", "operation", "outcome",
        "payment", "processor", "processor_response", "reason", "refunded_amount", "resolved_by_hand_at", "simulated",
        "source", "type", "unproven",
    ]

    /// Returns a receipt or an event with only the members that may stay. If there is nothing to erase, the bytes
    /// are unchanged.
    func erased(from bytes: [UInt8]) -> [UInt8] {
        guard let json = try? JSON(parsing: bytes) else { return bytes }
        let erased = json.filteringMembers { kept.contains($0) }
        return erased == json ? bytes : erased.encoded()
    }

    /// Returns the events that had something to erase, without it, by the numbers of their entries.
    func erased(from history: [HistoryEntry]) -> [Int: [UInt8]] {
        history.reduce(into: [:]) { redacted, entry in
            let event = entry.event.map { self.erased(from: $0) }
            if event != entry.event { redacted[entry.number] = event }
        }
    }

    /// Returns a list's fields with only the members that may stay.
    func erased(from summary: JSONObject) -> JSONObject { summary.filteringMembers { kept.contains($0) } }
}

extension JSONObject {
    /// Returns the object with only the members whose names stay, at every depth.
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
