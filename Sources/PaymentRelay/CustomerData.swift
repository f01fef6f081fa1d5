public import FoundationEssentials
import OrderedJSON

/// What a payment's receipts tell of the customer, because the processor gives back what it was sent. It is kept only as long
/// as configured; the money's history stays.
public enum CustomerData {
    /// FORT's names of it, and the card holder's.
    static let fields: Set<String> = [
        "customer_email", "customer_ip", "customer_name", "phone_number", "card_holder_name", "device_fingerprint",
    ]

    /// A receipt without it; the very bytes where there was none.
    static func erased(from receipt: [UInt8]) -> [UInt8] {
        guard let json = try? JSON(parsing: receipt) else { return receipt }
        let erased = erased(from: json)
        return erased == json ? receipt : erased.encoded()
    }

    /// Members without it.
    static func erased(from object: JSONObject) -> JSONObject {
        JSONObject(object.members.filter { !fields.contains($0.name) }.map { ($0.name, erased(from: $0.value)) })
    }

    private static func erased(from json: JSON) -> JSON {
        switch json {
        case .object(let object): .object(erased(from: object))
        case .array(let elements): .array(elements.map(erased))
        case .null, .bool, .number, .string: json
        }
    }
}

extension Journal {
    /// Erases what a payment's receipts tell of the customer. What is not settled is left: its receipt is still to come.
    ///
    /// - Returns: false where there is no such payment, or it is open.
    public func eraseCustomerData(of merchantReference: String, at moment: Date) async throws -> Bool {
        // Each further round means that somebody else has changed the payment in between.
        for _ in 0..<8 {
            guard let payment = try await payment(merchantReference), !payment.isOpen else { return false }
            guard payment.holdsCustomerData else { return true }
            let entry = HistoryEntry(
                at: moment, state: payment.state, balance: payment.balance, reason: "customer data erased")
            if try await replace(payment, with: payment.withoutCustomerData, because: entry) { return true }
        }
        throw ContendedPayment()
    }

    /// Erases it for every settled payment claimed before `moment`.
    ///
    /// - Returns: how many there were.
    func eraseCustomerData(claimedBefore moment: Date, at now: Date) async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let payments = try await settledPayments(holdingCustomerDataClaimedBefore: moment, limit: 100)
            for payment in payments {
                if try await eraseCustomerData(of: payment.merchantReference, at: now) { count += 1 }
            }
            if payments.count < 100 { break }
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
