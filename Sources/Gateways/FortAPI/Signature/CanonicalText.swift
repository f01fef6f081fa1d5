public import PayrelayPrimitives

/// The text that a signature covers, without the phrase: every top-level `name=value` but `signature`, names ascending by
/// byte, nothing between them.
///
/// Inside, everything stands in the order of the message: an object as `{a=1, b=2}`, a list as `[a, b]`, a number by its
/// literal, a string raw (not as JSON escapes it), `true`, `false`, and null as nothing, as APS's PHP code prints it.
/// APS documents lists of objects in its reporting example; that inner names are not sorted follows from its SDKs, which
/// agree on the format and differ in the order.
///
/// Nothing separates the pairs, so `a=1` and `b=2` read as `a` with the value `1b=2` does. What goes out is safe from this
/// because no ``FortField`` of an order may contain `=`.
public struct CanonicalText: Hashable, Sendable, Redacted {
    private let parameters: [JSONObject.Member]

    public init(of message: JSONObject) {
        parameters = message.sortedByName().members.filter { $0.name != FortSignature.parameterName }
    }

    /// The text with the phrase at both ends, ready to be hashed. It shows the phrase and the customer's data.
    public func exposed(within phrase: Secret) -> String {
        CanonicalText.withExposed(JSONObject(distinct: parameters), within: phrase) {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The text of a message with the phrase at both ends, in UTF-8, written in one pass.
    ///
    /// - Parameter message: with its names ascending by byte.
    static func withExposed<Value>(
        _ message: JSONObject, within phrase: Secret, _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value {
        // A request with a token has some 3,500 bytes.
        var text = ByteWriter(capacity: 4_096)
        text.append(phrase.exposed)
        let members = message.members
        for place in members.indices where members[place].name != FortSignature.parameterName {
            append(members[place], to: &text)
        }
        text.append(phrase.exposed)
        return text.withBytes(body)
    }

    /// The text for display: `***` in place of the phrase and of every value that is not listed as harmless.
    public var masked: String {
        let pairs = parameters.map { "\($0.name)=\(CanonicalText.maskedText(of: $0.value, under: $0.name))" }
        return "***" + pairs.joined() + "***"
    }

    public var description: String { masked }

    /// A value as it stands in the text.
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

    /// Names whose values say nothing about a customer, a card or an account.
    private static let harmless: Set<String> = [
        "amount", "apple_network", "apple_type", "command", "currency", "digital_wallet", "eci", "language",
        "merchant_reference", "payment_option", "query_command", "recurring_mode", "response_code", "service_command",
        "status", "transaction_code", "transaction_status",
    ]
}
