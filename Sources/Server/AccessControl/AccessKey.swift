import Crypto
public import PayrelayPrimitives

/// The secret that a backend or an operator sends: a prefix and 32 random bytes in base64url. The prefix lets
/// secret scanners find a leaked key, and it keeps keys of one kind from being accepted as keys of the other.
///
/// A text in another format is never a key, whatever hash is configured. So no key is weak, and its plain SHA-256
/// can be stored safely.
public struct AccessKey<Permission: KeyPermission>: Sendable, Redacted {
    private let secret: Secret
    /// The text of the key. Search for this name to find every use.
    public var exposed: String { secret.exposed }

    /// Creates a key from the system's random numbers.
    public init() {
        secret = Secret(Permission.keyPrefix + Base64URL.encode(RandomBytes.make(32)))
    }

    /// Returns `nil` if the text is not a key.
    public init?(_ text: String) {
        guard text.after(Permission.keyPrefix).flatMap({ Base64URL.decode($0) })?.count == 32 else { return nil }
        secret = Secret(text)
    }

    /// The key's SHA-256, which is configured instead of the key.
    var digest: SHA256.Digest { SHA256.hash(data: Array(exposed.utf8)) }

    public var description: String { secret.description }
}

/// The permission that a key grants: a client's scopes, or an operator's role.
public protocol KeyPermission: Sendable, Equatable {
    static var keyPrefix: String { get }
    /// The words for a holder, for the permissions and for one permission in the messages of ``KeyEntryError``.
    static var words: (holder: String, permissions: String, permission: String) { get }
    /// The texts of all possible permissions.
    static var texts: [String] { get }
    /// The characters that a holder's name may have besides letters and digits.
    static var marksOfNames: String { get }

    /// - Throws: ``KeyEntryError/permission(_:)`` if the text is not a permission.
    init(parsing text: Substring) throws(KeyEntryError<Self>)
    /// The text by which the permission is configured.
    var text: String { get }
}

/// The key of a merchant's backend: `payrelay_` and 32 random bytes.
public typealias APIKey = AccessKey<Set<Scope>>
/// The key that an operator logs in with: `payrelay_op_` and 32 random bytes.
public typealias OperatorKey = AccessKey<OperatorRole>

extension Set<Scope>: KeyPermission {
    public static var keyPrefix: String { "payrelay_" }
    public static var words: (holder: String, permissions: String, permission: String) { ("client", "scopes", "scope") }
    public static var texts: [String] { Scope.allCases.map(\.rawValue) }
    public static var marksOfNames: String { "._-" }

    /// Reads scope names separated by commas.
    public init(parsing text: Substring) throws(KeyEntryError<Self>) {
        self = []
        for name in text.parts(at: ",") {
            guard let scope = Scope(rawValue: String(name)) else { throw .permission(String(name)) }
            insert(scope)
        }
    }

    public var text: String { Scope.allCases.filter(contains).map(\.rawValue).joined(separator: ",") }
}

extension OperatorRole: KeyPermission {
    public static var keyPrefix: String { "payrelay_op_" }
    public static var words: (holder: String, permissions: String, permission: String) { ("operator", "role", "role") }
    public static var texts: [String] { allCases.map(\.rawValue) }
    /// Identity providers often identify people by their email address.
    public static var marksOfNames: String { "._@+-" }

    public init(parsing text: Substring) throws(KeyEntryError<Self>) {
        guard let role = OperatorRole(rawValue: String(text)) else { throw .permission(String(text)) }
        self = role
    }

    public var text: String { rawValue }
}
