/// The one-time codes that the sandbox accepts. It sends no codes, so these are always the right ones.
public enum SandboxCode: String, Sendable {
    /// The code of Masterpass for the phone, requested by 2114.
    case phone = "111111"
    /// The code of the card's bank, requested by 2113.
    case card = "222222"
    /// The code for a payment, by SMS, after `startVerify2dCard`.
    case payment = "333333"

    /// The number of wrong codes after which the verification ends.
    static let tries = 5

    /// The name of the code in answers.
    var name: String { self == .card ? "card" : "phone" }
}
