import JournalContract
import PaymentRelay

extension Audit {
    /// Compares captures, voids and refunds in FORT's books, in the journal, and in the answers to merchants.
    func operationFindings() async -> [String] {
        var findings = attemptsThatShouldNotHaveArrived() + (await operationsThatWereNotSent())
        findings += await staleForms()
        for reference in references {
            guard let payment = await disk.payment(reference) else { continue }
            findings += balance(of: payment, await disk.history(of: reference))
            findings += operations(of: payment)
            // Promises about an external payment ended when an order took its reference.
            if await disk.history(of: reference).first?.state == .processing { findings += promises(of: payment) }
        }
        return findings
    }

    private func balance(of payment: Payment, _ history: [HistoryEntry]) -> [String] {
        var findings: [String] = []
        let reference = payment.merchantReference
        let atFort = books.entries[reference]?.balanceThatStands ?? Balance()
        if payment.balance != atFort {
            findings.append("\(reference) has \(payment.balance) in the journal, and \(atFort) at FORT")
        }
        if payment.isOpen { findings.append("\(reference) is still open") }
        let own = history.drop { $0.state != .processing }
        for (earlier, later) in zip(own, own.dropFirst())
        where later.balance.captured < earlier.balance.captured || later.balance.refunded < earlier.balance.refunded {
            findings.append("\(reference) went back from \(earlier.balance) to \(later.balance)")
        }
        return findings
    }

    /// Checks that the journal's outcome of each operation is FORT's.
    private func operations(of payment: Payment) -> [String] {
        guard let entry = books.entries[payment.merchantReference], !entry.wasTouchedElsewhere else { return [] }
        return payment.operations.compactMap { operation in
            let times = entry.operations.count { $0.operation.identifier == operation.identifier }
            let what = "\(operation.command.rawValue) \(operation.amount) of \(payment.merchantReference)"
            if times > 1 { return "\(what) was carried out \(times) times" }
            if (times == 1) != (operation.state == .done) {
                return "\(what) is \(operation.state.rawValue), and FORT carried it out \(times) times"
            }
            return nil
        }
    }

    /// R1, R3: an idempotency key moves money once, and the same request again gets the same bytes.
    private func promises(of payment: Payment) -> [String] {
        let received = receivedOperationAnswers.filter { $0.reference == payment.merchantReference && $0.wish.hasName }
        return Dictionary(grouping: received, by: \.wish.name).sorted { $0.key < $1.key }.flatMap { name, received in
            let ended = received.compactMap { received -> PaymentOperation? in
                guard case .success(let operation) = received.answer, !operation.state.isOpen else { return nil }
                return operation
            }
            var findings: [String] = []
            if Set(ended.compactMap(\.receipt)).count > 1 { findings.append("\(name) received two different endings") }
            if let last = ended.last, !payment.operations.contains(where: { $0.receipt == last.receipt }) {
                findings.append("\(name) received \(last.state.rawValue), and the journal has nothing of it")
            }
            let times = books.entries[payment.merchantReference]?.operations.count {
                $0.operation.isNamed(name)
            }
            if let times, times > 1 { findings.append("\(name) moved money \(times) times") }
            return findings
        }
    }

    /// Finds operations that an operator began from an outdated form. A form counts only while the payment is as the form shows
    /// it.
    private func staleForms() async -> [String] {
        var findings: [String] = []
        for received in receivedOperationAnswers {
            guard let seen = received.wish.seen,
                let operation = await disk.payment(received.reference)?.operations.last(where: {
                    $0.isNamed(received.wish.name)
                }), operation.before != seen.balance
            else { continue }
            findings.append("\(received.wish.name) was decided on another balance than \(operation.before)")
        }
        return findings
    }

    /// Finds operations in the journal although every request for them was refused as not sent.
    private func operationsThatWereNotSent() async -> [String] {
        var findings: [String] = []
        let received = receivedOperationAnswers.filter(\.wish.hasName)
        for (name, received) in Dictionary(grouping: received, by: \.wish.name).sorted(by: { $0.key < $1.key }) {
            for received in received {
                guard case .failure(.notSent) = received.answer else { continue }
                let entries = await disk.history(of: received.reference).filter {
                    $0.requestIdentifier == received.attempt
                }
                // If the journal failed, it does not know that the operation was not sent.
                guard let begun = entries.first, entries.last?.reason?.contains("not_sent") == true,
                    await disk.payment(received.reference)?.operations.contains(where: { $0.begunAt == begun.at })
                        == true
                else { continue }
                findings.append("\(name) was not sent, and is an operation")
            }
        }
        return findings
    }

    /// Finds refused requests that reached FORT, although a refusal says that the request moved no money.
    private func attemptsThatShouldNotHaveArrived() -> [String] {
        receivedOperationAnswers.compactMap { received in
            guard case .failure(let refusal) = received.answer, books.attempts.contains(received.attempt) else {
                return nil
            }
            return "\(received.attempt) received \(refusal), and reached FORT"
        }
    }
}

extension PaymentOperation {
    /// Whether the operation is the merchant's wish with this name. An operator's key is stored after the operator's name.
    fileprivate func isNamed(_ name: String) -> Bool {
        maintenanceReference == name || idempotencyKey == name || idempotencyKey?.hasSuffix(" \(name)") ?? false
    }
}
