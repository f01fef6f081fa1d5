import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives

/// The beginning of a backend's response that did not acknowledge an event. It helps the backend's developers to
/// find the fault. Nothing is kept of an acknowledgement.
///
/// A backend may respond with anything, including stack traces and the event itself. Therefore the excerpt:
///
/// - is short;
/// - never contains a key that the relay and the backend share;
/// - is shown to operators and on the machine, but never to clients;
/// - is erased together with the customer's data.
struct AnswerExcerpt {
    /// `nil` if there is nothing to show, or if the response contains a key, the signature, or a part of the URL
    /// that may be a key.
    let text: String?

    /// - Parameter signature: the signature of the request.
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

    /// Whether the scalar is safe to show: it neither controls a terminal nor changes the direction of the
    /// surrounding text.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\n" || scalar == "\t" { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: true
        }
    }
}
