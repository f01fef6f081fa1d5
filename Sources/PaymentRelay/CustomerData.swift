public import FoundationEssentials
import Primitives

/// What a payment's receipts and events tell of the customer, because the processor gives back what it was sent. It is kept only
/// as long as configured; the money's history stays.
public enum CustomerData {
    /// Who the customer is, by FORT's names. No event ever holds it.
    static let identity: Set<String> = [
        "customer_email", "customer_ip", "customer_name", "phone_number", "card_holder_name", "device_fingerprint",
    ]

    /// All that is erased: the customer's identity, the card, and the fields in which a merchant may have written anything.
    static let all = identity.union([
        "card_number", "expiry_date", "token_name", "order_description", "merchant_extra", "merchant_extra1",
        "merchant_extra2", "merchant_extra3", "merchant_extra4", "merchant_extra5",
    ])

    /// A receipt, or an event, without any of it; the very bytes where there was none.
    static func erased(from bytes: [UInt8]) -> [UInt8] {
        guard let json = try? JSON(parsing: bytes) else { return bytes }
        let erased = removing(all, from: json)
        return erased == json ? bytes : erased.encoded()
    }

    /// Members without what identifies the customer.
    static func withoutIdentity(_ object: JSONObject) -> JSONObject { removing(identity, from: object) }

    private static func removing(_ fields: Set<String>, from object: JSONObject) -> JSONObject {
        JSONObject(
            object.members.filter { !fields.contains($0.name) }.map { ($0.name, removing(fields, from: $0.value)) })
    }

    private static func removing(_ fields: Set<String>, from json: JSON) -> JSON {
        switch json {
        case .object(let object): .object(removing(fields, from: object))
        case .array(let elements): .array(elements.map { removing(fields, from: $0) })
        case .null, .bool, .number, .string: json
        }
    }
}

extension Journal {
    /// Erases what a payment's receipts and events tell of the customer. What is not settled is left: its receipt is still to
    /// come.
    ///
    /// - Returns: false where there is no such payment, or it is open.
    public func eraseCustomerData(of merchantReference: String, at moment: Date) async throws -> Bool {
        // Each further round means that another request has changed the payment in between.
        for _ in 0..<8 {
            guard let payment = try await payment(merchantReference), !payment.isOpen else { return false }
            guard payment.holdsCustomerData else { return true }
            // Before the receipts, which say that there is nothing left to erase.
            try await eraseEvents(of: merchantReference)
            let entry = HistoryEntry(
                at: moment, state: payment.state, balance: payment.balance, reason: "customer data erased")
            if try await replace(payment, with: payment.withoutCustomerData, because: entry) { return true }
        }
        throw ContendedPayment()
    }

    private func eraseEvents(of merchantReference: String) async throws {
        for (index, entry) in try await history(of: merchantReference).enumerated() {
            guard let event = entry.event else { continue }
            let erased = CustomerData.erased(from: event)
            if erased != event { try await replaceEvent(index + 1, of: merchantReference, with: erased) }
        }
    }

    /// Erases it for every settled payment claimed before `moment`. One whose record cannot be read, or that others keep
    /// changing, is left, and stops none of the others.
    ///
    /// - Returns: how many were erased.
    func eraseCustomerData(claimedBefore moment: Date, at now: Date) async throws -> Int {
        var count = 0
        var place: PaymentCursor?
        while !Task.isCancelled {
            let page = try await paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: 100)
            for payment in page {
                do {
                    if try await eraseCustomerData(of: payment.merchantReference, at: now) { count += 1 }
                } catch is UnreadableRecord {
                    // The journal has told of it.
                } catch is ContendedPayment {}
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
        payment.holdsCustomerData = false
        payment.version += 1
        return payment
    }
}
