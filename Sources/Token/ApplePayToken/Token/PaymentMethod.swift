import PayrelayPrimitives

/// How the customer paid, as the phone describes it. Apple signs none of this: show it, decide nothing upon it.
public struct PaymentMethod: Hashable, Sendable {
    /// Apple Pay JS's words; PassKit sends the number (`PKPaymentMethodType`). Apple Pay JS has no word for PassKit's 0 and 5;
    /// theirs here are PassKit's names. A card of either kind pays like any other: Apple's signature does not cover the
    /// kind, so nothing is decided by it, and calling it `debit` or `credit` would be invention.
    public enum Kind: String, CaseIterable, Sendable {
        // The order is PassKit's numbering, from 0.
        case unknown, debit, credit, prepaid, store, eMoney
    }

    /// For example `Visa 0492`.
    public let displayName: String?
    /// For example `Visa`; PassKit leaves it out for some cards.
    public let network: String?
    public let type: Kind?

    public init(displayName: String?, network: String?, type: Kind?) {
        self.displayName = displayName
        self.network = network
        self.type = type
    }
}

extension PaymentMethod.Kind {
    /// Reads a text: Apple Pay JS's word in any case, the name of PassKit's constant (`PKPaymentMethodTypeDebit`, as React Native's
    /// `react-native-payments` and `@rnw-community/react-native-payments` hand it over), or PassKit's number as one digit.
    init?(text: String) {
        let word = text.after("PKPaymentMethodType") ?? text[...]
        if let kind = Self.allCases.first(where: { $0.rawValue.isSame(ignoringCaseOf: word) }) {
            self = kind
        } else if text.utf8.count == 1, text.utf8.allSatisfy(\.isASCIIDigit) {
            self.init(number: text)
        } else {
            return nil
        }
    }

    /// The kind by PassKit's number as JSON wrote it.
    init?(number: String) {
        guard let place = Int(number), Self.allCases.indices.contains(place) else { return nil }
        self = Self.allCases[place]
    }
}
