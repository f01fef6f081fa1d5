import FoundationEssentials
import PayrelayPrimitives
import PaymentRelay

/// How the answer of a backend begins that did not acknowledge: what its author needs to find the fault. Of an acknowledgement nothing
/// is kept: it says nothing more than that.
///
/// A backend answers what it likes, its own stack traces and the event itself included. So it is short, never holds a key that the
/// two share, is shown to operators and on the machine but to no client, and is erased with the customer's data.
struct AnswerExcerpt {
    /// Nil where there is nothing to show, or the answer holds a key, the signature, or a part of the URL that may be a key.
    let text: String?

    /// - Parameter signature: what the request was signed with.
    init(of body: [UInt8], settings: MerchantWebhook.Settings, signature: String) {
        let whole = String(decoding: body, as: UTF8.self)
        let withheld =
            settings.secrets.map { Data($0.key).base64EncodedString() }
            + signature.words.compactMap { $0.cut(at: ",").after.map(String.init) }
            + settings.url.keys
        guard !body.isEmpty, !withheld.contains(where: { whole.has($0) }) else {
            text = nil
            return
        }
        var (shown, length) = (String.UnicodeScalarView(), 0)
        for scalar in whole.unicodeScalars {
            let scalar = Self.isShown(scalar) ? scalar : "\u{FFFD}"
            length += UTF8.width(scalar)
            if length > DeliveryAttempt.answerLimit { break }
            shown.append(scalar)
        }
        text = String(shown)
    }

    /// Whether it neither steers a terminal nor turns the direction of the text around it.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\n" || scalar == "\t" { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: true
        }
    }
}
