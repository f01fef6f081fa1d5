public import PayrelayPrimitives

/// The text that a signature covers, without the phrase: every top-level `name=value` except `signature`, with
/// names ascending by byte and nothing between the pairs.
///
/// Values are written like this, with inner members in the order of the message:
/// - an object as `{a=1, b=2}`, a list as `[a, b]`;
/// - a number as its literal, a string raw (without JSON's escapes);
/// - `true`, `false`, and null as nothing, as APS's PHP code prints it.
///
/// APS documents lists of objects in its reporting example. That inner names are not sorted follows from APS's
/// SDKs, which agree on the format and differ in the order.
///
/// Because nothing separates the pairs, the pairs `a=1` and `b=2` have the same text as `a` with the value
/// `1b=2`. Requests are safe from this, because no ``FortField`` of an order may contain `=` before its end.
public struct CanonicalText: Hashable, Sendable, Redacted {
    private let parameters: [JSONObject.Member]

    public init(of message: JSONObject) {
        parameters = message.sortedByName().members.filter { $0.name != FortSignature.parameterName }
    }

    /// Returns the text with the phrase at both ends, ready to be hashed. It contains the phrase and the
    /// customer's data.
    public func exposed(within phrase: Secret) -> String {
        CanonicalText.withExposed(JSONObject(distinct: parameters), within: phrase) {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Passes the text of a message, with the phrase at both ends, in UTF-8, to `body`. The text is written in
    /// one pass.
    ///
    /// - Parameter message: a message whose names ascend by byte.
    static func withExposed<Value>(
        _ message: JSONObject, within phrase: Secret, _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value {
        // A request with a token has about 3,500 bytes.
        var text = ByteWriter(capacity: 4_096)
        text.append(phrase.exposed)
        let members = message.members
        for place in members.indices where members[place].name != FortSignature.parameterName {
            append(members[place], to: &text)
        }
        text.append(phrase.exposed)
        return text.withBytes(body)
    }

    /// The text for display, with `***` in place of the phrase and of every value that is not listed as harmless.
    public var masked: String {
        let pairs = parameters.map { "\($0.name)=\(CanonicalText.maskedText(of: $0.value, under: $0.name))" }
        return "***" + pairs.joined() + "***"
    }

    public var description: String { masked }

    /// Returns a value as it is written in the text.
    static func text(of value: JSON) -> String {
        var text = ByteWriter(capacity: 64)
        append(value, to: &text)
        return text.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func append(_ member: JSONObject.Member, to text: inout ByteWriter) {
        text.append(member.name)
        text.append(UInt8(ascii: "="))
        append(member.value, to: &text)
    }

    private static func append(_ value: JSON, to text: inout ByteWriter) {
        switch value {
        case .null: break
        case .bool(let truth): text.append(truth ? "true" : "false")
        case .number(let literal): text.append(literal)
        case .string(let string): text.append(string)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for place in elements.indices {
                if place > 0 { text.append(", ") }
                append(elements[place], to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let object):
            text.append(UInt8(ascii: "{"))
            for place in object.members.indices {
                if place > 0 { text.append(", ") }
                append(object.members[place], to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func maskedText(of value: JSON, under name: String) -> String {
        switch value {
        case .array(let elements):
            "[" + elements.map { maskedText(of: $0, under: name) }.joined(separator: ", ") + "]"
        case .object(let object):
            "{"
                + object.members.map { "\($0.name)=\(maskedText(of: $0.value, under: $0.name))" }
                .joined(separator: ", ") + "}"
        default: harmless.contains(name) ? text(of: value) : "***"
        }
    }

    /// The names of parameters whose values reveal nothing about a customer, a card or an account.
    private static let harmless: Set<String> = [
        "amount", "apple_network", "apple_type", "command", "currency", "digital_wallet", "eci", "language",
        "merchant_reference", "payment_option", "query_command", "recurring_mode", "response_code", "service_command",
        "status", "transaction_code", "transaction_status",
    ]
}
