import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import RelayServer

/// The filters of a payment search on the command line: the parameters of `GET /v1/payments`, with the same
/// rules.
struct SearchOptions: ParsableArguments {
    @Option(help: "The payment's merchant_reference, exactly.")
    var merchantReference: String?
    @Option(help: "How the merchant_reference begins.")
    var merchantReferencePrefix: String?
    @Option(name: .gatewayReference, help: "The gateway's own number of the payment.")
    var gatewayReference: String?
    @Option(help: "Apple's transactionIdentifier of the token.")
    var appleTransactionIdentifier: String?
    @Option(help: "The last four digits of the card's number.")
    var cardLastFour: String?
    @Option(help: "The customer's email, in any case.")
    var customerEmail: String?
    @Option(help: "The customer's phone number, with or without its country: the last eight digits count.")
    var phoneNumber: String?
    @Option(help: "The customer's whole name, its parts in any order; case and accents do not count.")
    var customerName: String?
    @Option(help: "In the currency's own unit: 100.00. Without --currency, in any currency.")
    var amount: String?
    @Option(help: "That much or more; needs --currency.")
    var amountFrom: String?
    @Option(help: "That much or less; needs --currency.")
    var amountTo: String?
    @OptionGroup var unit: AmountUnit
    @Option(help: "A currency of ISO 4217, for example AED.")
    var currency: String?
    @Option(help: "One of \(PaymentState.allCases.map(\.rawValue).joined(separator: ", ")).")
    var outcome: String?
    @Option(help: "PURCHASE or AUTHORIZATION.")
    var command: String?
    @Option(help: "The gateway's code of its answer to the charge.")
    var responseCode: String?
    @Option(help: "The bank's code of the authorization.")
    var authorizationCode: String?
    @Option(help: "For example Visa or mada, in any case.")
    var cardNetwork: String?
    @Option(help: "The name of the gateway that charged it.")
    var gateway: String?
    @Option(help: "The merchant's name of the account at the gateway.")
    var account: String?
    @Option(help: "The client that made the payment.")
    var client: String?
    @Option(help: "Claimed then or later: a date, 2026-01-31, or a moment, 2026-01-31T09:00:00Z.")
    var claimedFrom: String?
    @Option(help: "Claimed before: a date or a moment.")
    var claimedTo: String?
    @Option(help: "Changed then or later: a date or a moment.")
    var changedFrom: String?
    @Flag(help: "Open for longer than PAYRELAY_OVERDUE_AFTER_SECONDS, or with dead-lettered events.")
    var needsAttention = false

    /// Returns the search that the options describe.
    ///
    /// - Parameter page: `after` and `limit`, if they are given.
    /// - Throws: exit status 64 with every wrong option.
    func query(
        _ page: [(PaymentQuery.Parameter, String?)] = [], notOverdueIn range: ClosedRange<Date>
    ) throws -> PaymentQuery {
        let amounts = try self.amounts()
        let given: [(PaymentQuery.Parameter, String?)] = [
            (.merchantReference, merchantReference), (.merchantReferencePrefix, merchantReferencePrefix),
            (.gatewayReference, gatewayReference), (.appleTransactionIdentifier, appleTransactionIdentifier),
            (.cardLastFour, cardLastFour), (.customerEmail, customerEmail),
            (.phoneNumber, phoneNumber), (.customerName, customerName), (.amount, amounts.exact),
            (.amountFrom, amounts.from), (.amountTo, amounts.to), (.currency, currency), (.outcome, outcome),
            (.command, command), (.responseCode, responseCode), (.authorizationCode, authorizationCode),
            (.cardNetwork, cardNetwork), (.gateway, gateway), (.account, account), (.client, client),
            (.claimedFrom, claimedFrom),
            (.claimedTo, claimedTo), (.changedFrom, changedFrom), (.needsAttention, needsAttention ? "true" : nil),
        ]
        let parameters = (given + page).compactMap { parameter, value in value.map { (parameter.rawValue, $0) } }
        do throws(ValidationErrors) {
            var query = try PaymentQuery(parameters, visibleTo: .everything, knowing: .ofAllGateways)
            query.notOverdueIn = range
            query.amountInAnyCurrency = amounts.inAnyCurrency
            return query
        } catch {
            let options = error.errors.map {
                "--\($0.field.replacingEach("_", with: "-")) \($0.detail)"
            }
            throw UsageError(options.joined(separator: "\n"))
        }
    }
}

extension SearchOptions {
    /// Amounts in the form of the API's parameters, in minor units. `inAnyCurrency` is used if no currency is
    /// named.
    private typealias Amounts = (exact: String?, from: String?, to: String?, inAnyCurrency: AmountInAnyCurrency?)

    private func amounts() throws(UsageError) -> Amounts {
        if unit.isMinor { return (amount, amountFrom, amountTo, nil) }
        if let code = currency {
            guard let currency = Currency(code: code) else { return (amount, amountFrom, amountTo, nil) }
            func minor(_ text: String?, _ option: String) throws(UsageError) -> String? {
                guard let text else { return nil }
                return try unit.amount(text, option, in: currency).description
            }
            return (
                try minor(amount, "--amount"), try minor(amountFrom, "--amount-from"),
                try minor(amountTo, "--amount-to"),
                nil
            )
        }
        guard amountFrom == nil, amountTo == nil else {
            throw UsageError("--amount-from and --amount-to need --currency, or --minor")
        }
        guard let amount else { return (nil, nil, nil, nil) }
        do throws(AmountError) {
            return (nil, nil, nil, try AmountInAnyCurrency(decimal: amount))
        } catch {
            throw UsageError("--amount \(error)")
        }
    }
}

extension NameSpecification {
    /// Each gateway's own name for the number is an option name, too, such as `--fort-id`.
    fileprivate static let gatewayReference = NameSpecification(
        [.customLong("gateway-reference")]
            + AnswerVocabulary.ofAllGateways.references.sorted().map { .customLong($0.replacingEach("_", with: "-")) })
}
