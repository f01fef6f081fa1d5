import Logging
public import PaymentRelay
import Settings

/// The check for an account name that is now used for another merchant while payments of the previous merchant
/// are open.
///
/// No requests about those payments are sent, so they would stay open. Therefore the relay does not start: at a
/// start, someone is watching.
extension PaymentsWithoutAccount {
    /// The problem, as the rest of a sentence that begins with the account; `nil` if the account is not
    /// configured at all.
    public var problemOfOtherMerchant: String? {
        guard case .otherMerchant(let was, let now) = unavailability else { return nil }
        let count = payments == 1 ? "one open payment" : "\(payments) open payments"
        let more = payments > references.count ? ", …" : ""
        return
            "is configured for merchant \(now), and merchant \(was) charged \(count) under this name: \(references.joined(separator: ", "))\(more)"
    }

    public static let adviceOnOtherMerchant =
        "Configure the old merchant under this name and give the new merchant's account another name, or end these payments by hand first."
}

extension ConfigurationError {
    /// Returns the error that keeps the relay from starting; `nil` if no account name is used for another
    /// merchant.
    init?(_ withoutAccount: [PaymentsWithoutAccount]) {
        let errors = withoutAccount.compactMap { open in
            open.problemOfOtherMerchant.map { problem in
                SettingError(
                    name: "the account \(open.account)", source: nil,
                    problem: "\(problem). \(PaymentsWithoutAccount.adviceOnOtherMerchant)",
                    advice: PaymentsWithoutAccount.adviceOnOtherMerchant)
            }
        }
        guard !errors.isEmpty else { return nil }
        self.init(errors: errors)
    }
}

extension PaymentRelay {
    /// Logs the accounts that have open payments but are no longer configured.
    ///
    /// - Throws: ``ConfigurationError`` if an account with open payments has the name of another merchant's
    ///   account now. Even if the journal cannot be read here, no such payment is queried with the wrong
    ///   merchant, because ``Gateways`` sends no request about it.
    func checkAccountsOfOpenPayments(logger: Logger) async throws(ConfigurationError) {
        let withoutAccount: [PaymentsWithoutAccount]
        do throws(JournalError) {
            withoutAccount = try await openPaymentsWithoutAccount()
        } catch {
            return logger.error("open payments cannot be read", metadata: ["error": "\(error)"])
        }
        if let error = ConfigurationError(withoutAccount) { throw error }
        for open in withoutAccount {
            logger.warning(
                "the account of open payments is not configured: its gateway is not queried about them",
                metadata: ["account": "\(open.account)", "payments": "\(open.payments)"])
        }
    }
}
