import Crypto
public import PayrelayPrimitives

/// The secret that a backend or an operator sends: a prefix and 32 random bytes in base64url. Secret scanners find a leaked key by the
/// prefix. A key of one kind is not a key of the other.
///
/// No other text is a key, whatever hash is configured. So no key is weak, and a plain SHA-256 of it is safe to store.
public struct AccessKey<Permission: KeyPermission>: Sendable, Redacted {
    private let secret: Secret
    /// The key itself. Search for this name to find every use.
    public var exposed: String { secret.exposed }

    /// A new key, from the system's random numbers.
    public init() {
        secret = Secret(Permission.keyPrefix + Base64URL.encode(RandomBytes.make(32)))
    }

    /// `nil` if the text is not a key.
    public init?(_ text: String) {
        guard text.after(Permission.keyPrefix).flatMap({ Base64URL.decode($0) })?.count == 32 else { return nil }
        secret = Secret(text)
    }

    /// The key's SHA-256, which the configuration holds in its place.
    var digest: SHA256.Digest { SHA256.hash(data: Array(exposed.utf8)) }

    public var description: String { secret.description }
}

/// What a key permits: a client's scopes, or an operator's role.
public protocol KeyPermission: Sendable, Equatable {
    static var keyPrefix: String { get }
    /// Who has such a key, what it permits, and one permission, as the messages of ``KeyEntryError`` name them.
    static var words: (holder: String, permissions: String, permission: String) { get }
    /// The texts of all permissions.
    static var texts: [String] { get }
    /// The characters of a holder's name beside letters and digits.
    static var marksOfNames: String { get }

    /// - Throws: ``KeyEntryError/permission(_:)``.
    init(parsing text: Substring) throws(KeyEntryError<Self>)
    /// As it is configured.
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

    /// Reads names separated by commas.
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
    /// Identity providers name people by their email.
    public static var marksOfNames: String { "._@+-" }

    public init(parsing text: Substring) throws(KeyEntryError<Self>) {
        guard let role = OperatorRole(rawValue: String(text)) else { throw .permission(String(text)) }
        self = role
    }

    public var text: String { rawValue }
}
