public import Foundation

/// The parts of UIKit that the library uses.
@MainActor
open class UIView: NSObject {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    }

    public var frame: CGRect
    public var bounds: CGRect { frame }
    public var autoresizingMask: AutoresizingMask = []
    public private(set) var subviews: [UIView] = []

    public override init() {
        frame = .zero
        super.init()
    }

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    public required init?(coder: NSCoder) { nil }

    public func addSubview(_ view: UIView) { subviews.append(view) }
}

@MainActor
open class UIControl: UIView {
    public struct Event: Hashable, Sendable {
        let name: String
        public static let editingChanged = Event(name: "editingChanged")
    }

    private var actions: [(UIAction, Event)] = []

    public func addAction(_ action: UIAction, for event: Event) {
        actions.removeAll { $0.0.identifier == action.identifier && $0.1 == event }
        actions.append((action, event))
    }

    public func sendActions(for event: Event) {
        for (action, own) in actions where own == event { action.handler(action) }
    }
}

@MainActor
public final class UIAction {
    public struct Identifier: Hashable, Sendable {
        let name: String
        public init(_ name: String) { self.name = name }
    }

    public let identifier: Identifier
    let handler: (UIAction) -> Void

    public init(identifier: Identifier, handler: @escaping (UIAction) -> Void) {
        self.identifier = identifier
        self.handler = handler
    }
}

public enum UITextContentType: Sendable { case oneTimeCode }
public enum UITextAutocorrectionType: Sendable { case `default`, no }
public enum UITextSpellCheckingType: Sendable { case `default`, no }
public enum UIKeyboardType: Sendable { case `default`, numberPad }

@MainActor
open class UITextField: UIControl {
    public var text: String?
    public var placeholder: String?
    public var keyboardType = UIKeyboardType.default
    public var isSecureTextEntry = false
    public var textContentType: UITextContentType?
    public var autocorrectionType = UITextAutocorrectionType.default
    public var spellCheckingType = UITextSpellCheckingType.default

    nonisolated open override var description: String {
        MainActor.assumeIsolated { "<UITextField text = \(text ?? "")>" }
    }
}
