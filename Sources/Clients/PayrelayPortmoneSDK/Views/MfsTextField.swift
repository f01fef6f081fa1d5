#if canImport(UIKit) && canImport(WebKit)
import Foundation
public import UIKit

/// The field for a card's number, its code, or a one-time code. A call that takes it empties it.
public final class MfsTextField: UITextField {
    /// Maximum length of the text, in bytes of UTF-8. A call takes at most 32.
    public var maxLength = MfsTextFieldKind.longest

    /// Sets the purpose of the field.
    ///
    /// - Parameter type: 1 for a card's number, 2 for a one-time code, 3 for a card's code. Another is taken for 3.
    public func setType(_ type: Int) {
        let kind = MfsTextFieldKind(rawValue: type) ?? .cardCode
        isSecureTextEntry = kind != .cardNumber
        textContentType = kind == .oneTimeCode ? .oneTimeCode : nil
        autocorrectionType = .no
        spellCheckingType = .no
        // An action of the same identifier takes the place of an earlier one.
        let identifier = UIAction.Identifier("payrelay.shorten")
        addAction(UIAction(identifier: identifier) { [weak self] _ in self?.shorten() }, for: .editingChanged)
    }

    /// Empties the field.
    public func clear() { text = nil }

    private func shorten() {
        guard let text, text.utf8.count > maxLength else { return }
        self.text = MfsTextFieldKind.shortened(text, to: maxLength)
    }

    /// The text, which is then no longer in the field.
    func takeText() -> SecretText {
        defer { clear() }
        return SecretText(MfsTextFieldKind.shortened(text ?? "", to: maxLength))
    }

    /// Without the text, which a text field's own has.
    nonisolated public override var description: String { "MfsTextField" }

    /// Without the text.
    nonisolated public override var debugDescription: String { description }
}

extension MfsTextField: CustomReflectable {
    /// Without the text.
    nonisolated public var customMirror: Mirror {
        Mirror(self, children: EmptyCollection<Mirror.Child>(), ancestorRepresentation: .suppressed)
    }
}
#else
public import PayrelayPrimitives

/// The field for a card's number, its code, or a one-time code. A call that takes it empties it.
///
/// Without UIKit it holds what would be typed, and shows nothing.
@MainActor
public final class MfsTextField: Redacted {
    /// UIKit's, as far as a field of these needs one.
    public enum KeyboardType: Sendable {
        /// The keyboard for every text.
        case `default`
        /// Digits alone.
        case numberPad
    }

    /// Maximum length of the text, in bytes of UTF-8. A call takes at most 32.
    public var maxLength = MfsTextFieldKind.longest
    /// The text that an empty field shows.
    public var placeholder: String?
    /// Which keyboard the field asks for.
    public var keyboardType = KeyboardType.default
    private var secret: SecretText?

    /// An empty field.
    public init() {}

    /// Sets the purpose of the field.
    ///
    /// - Parameter type: 1 for a card's number, 2 for a one-time code, 3 for a card's code. Nothing depends on it here.
    public func setType(_ type: Int) {}

    /// The typed text, cut to ``maxLength`` bytes of UTF-8. It is a secret: the library does not read this property.
    public var text: String? {
        get { secret.map { $0.withExposed { String(decoding: $0, as: UTF8.self) } } }
        set {
            clear()
            secret = newValue.map { SecretText(MfsTextFieldKind.shortened($0, to: maxLength)) }
        }
    }

    /// Empties the field, and overwrites what was in it.
    public func clear() {
        secret?.wipe()
        secret = nil
    }

    /// The text, which is then no longer in the field.
    func takeText() -> SecretText {
        defer { secret = nil }
        return secret ?? SecretText("")
    }

    nonisolated public var description: String { "MfsTextField" }
}
#endif

/// The purpose of a field. The raw values are the numbers of `setType`.
enum MfsTextFieldKind: Int {
    case cardNumber = 1
    case oneTimeCode
    case cardCode

    /// A card's number with spaces has 23 characters.
    static let longest = 32

    /// The beginning of a text.
    ///
    /// - Parameter length: in bytes of UTF-8; every secret here is ASCII. Never more than ``longest``.
    static func shortened(_ text: String, to length: Int) -> String {
        String(decoding: text.utf8.prefix(max(0, min(length, longest))), as: UTF8.self)
    }
}
