/// The one-time codes that the sandbox takes. It sends none: these are all.
public enum SandboxCode: String, Sendable {
    /// Of Masterpass, to the phone; asked for by 2114.
    case phone = "111111"
    /// Of the card's bank; asked for by 2113.
    case card = "222222"
    /// Of a payment, by SMS, after `startVerify2dCard`.
    case payment = "333333"

    /// How many wrong codes are taken before the verification is over.
    static let tries = 5

    /// As answers have it.
    var name: String { self == .card ? "card" : "phone" }
}
