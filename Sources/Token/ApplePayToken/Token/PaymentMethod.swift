import PayrelayPrimitives

/// The way in which the customer paid, as the phone describes it. Apple does not sign this: show it, but decide
/// nothing by it.
public struct PaymentMethod: Hashable, Sendable {
    /// The kind of a card, by the words of Apple Pay JS. PassKit sends numbers (`PKPaymentMethodType`). Apple Pay
    /// JS has no words for PassKit's 0 and 5, so these two have PassKit's names, `unknown` and `eMoney`.
    ///
    /// Apple's signature does not cover the kind, so nothing is decided by it: cards of any kind pay alike. The
    /// two kinds are not turned into `debit` or `credit`, which would be a guess.
    public enum Kind: String, CaseIterable, Sendable {
        // The order is PassKit's numbering, from 0.
        case unknown, debit, credit, prepaid, store, eMoney
    }

    /// The card's name, for example `Visa 0492`.
    public let displayName: String?
    /// The card's network, for example `Visa`. PassKit leaves it out for some cards.
    public let network: String?
    public let type: Kind?

    public init(displayName: String?, network: String?, type: Kind?) {
        self.displayName = displayName
        self.network = network
        self.type = type
    }
}

extension PaymentMethod.Kind {
    /// Reads a text, which may be:
    /// - the word of Apple Pay JS, in any case;
    /// - the name of PassKit's constant, such as `PKPaymentMethodTypeDebit`, which React Native's
    ///   `react-native-payments` and `@rnw-community/react-native-payments` use;
    /// - PassKit's number as one digit.
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

    /// Reads PassKit's number as it is written in JSON.
    init?(number: String) {
        guard let place = Int(number), Self.allCases.indices.contains(place) else { return nil }
        self = Self.allCases[place]
    }
}
