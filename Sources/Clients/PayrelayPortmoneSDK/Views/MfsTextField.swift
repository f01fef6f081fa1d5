#if canImport(UIKit) && canImport(WebKit)
import Foundation
public import UIKit

/// A field for a card's number, its security code, or a one-time code. A call that uses the field empties it.
public final class MfsTextField: UITextField {
    /// The maximum length of the text, in bytes of UTF-8. Calls use at most 32 bytes.
    public var maxLength = MfsTextFieldKind.longest

    /// Sets the purpose of the field.
    ///
    /// - Parameter type: 1 for a card's number, 2 for a one-time code, 3 for a card's security code. Any other
    ///   value counts as 3.
    public func setType(_ type: Int) {
        let kind = MfsTextFieldKind(rawValue: type) ?? .cardCode
        isSecureTextEntry = kind != .cardNumber
        textContentType = kind == .oneTimeCode ? .oneTimeCode : nil
        autocorrectionType = .no
        spellCheckingType = .no
        // An action with the same identifier replaces the earlier one.
        let identifier = UIAction.Identifier("payrelay.shorten")
        addAction(UIAction(identifier: identifier) { [weak self] _ in self?.shorten() }, for: .editingChanged)
    }

    /// Empties the field.
    public func clear() { text = nil }

    private func shorten() {
        guard let text, text.utf8.count > maxLength else { return }
        self.text = MfsTextFieldKind.shortened(text, to: maxLength)
    }

    /// Returns the text and empties the field.
    func takeText() -> SecretText {
        defer { clear() }
        return SecretText(MfsTextFieldKind.shortened(text ?? "", to: maxLength))
    }

    /// A constant without the text, which the description of a `UITextField` would contain.
    nonisolated public override var description: String { "MfsTextField" }

    /// A constant without the text.
    nonisolated public override var debugDescription: String { description }
}

extension MfsTextField: CustomReflectable {
    /// A mirror without the text.
    nonisolated public var customMirror: Mirror {
        Mirror(self, children: EmptyCollection<Mirror.Child>(), ancestorRepresentation: .suppressed)
    }
}
#else
public import PayrelayPrimitives

/// A field for a card's number, its security code, or a one-time code. A call that uses the field empties it.
///
/// Without UIKit it stores the text that would be typed, and shows nothing.
@MainActor
public final class MfsTextField: Redacted {
    /// The part of UIKit's keyboard types that such a field needs.
    public enum KeyboardType: Sendable {
        /// The keyboard for any text.
        case `default`
        /// A keyboard with digits only.
        case numberPad
    }

    /// The maximum length of the text, in bytes of UTF-8. Calls use at most 32 bytes.
    public var maxLength = MfsTextFieldKind.longest
    /// The text that an empty field shows.
    public var placeholder: String?
    /// The keyboard of the field.
    public var keyboardType = KeyboardType.default
    private var secret: SecretText?

    /// Creates an empty field.
    public init() {}

    /// Sets the purpose of the field.
    ///
    /// - Parameter type: 1 for a card's number, 2 for a one-time code, 3 for a card's security code. It has no
    ///   effect without UIKit.
    public func setType(_ type: Int) {}

    /// The typed text, cut to ``maxLength`` bytes of UTF-8. It is a secret; the library itself does not read this
    /// property.
    public var text: String? {
        get { secret.map { $0.withExposed { String(decoding: $0, as: UTF8.self) } } }
        set {
            clear()
            secret = newValue.map { SecretText(MfsTextFieldKind.shortened($0, to: maxLength)) }
        }
    }

    /// Empties the field, and overwrites its text in memory.
    public func clear() {
        secret?.wipe()
        secret = nil
    }

    /// Returns the text and empties the field.
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

    /// The maximum length of a text, in bytes. A card's number with spaces has 23 characters.
    static let longest = 32

    /// Returns the beginning of a text.
    ///
    /// - Parameter length: the length in bytes of UTF-8, at most ``longest``. All of these secrets are ASCII.
    static func shortened(_ text: String, to length: Int) -> String {
        String(decoding: text.utf8.prefix(max(0, min(length, longest))), as: UTF8.self)
    }
}
