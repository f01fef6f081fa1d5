/// Reads the members of a JSON object by name and collects all their errors, so that they can be reported
/// together. A member that is null counts as absent, except in ``texts(allowing:of:digitsIn:)``.
public struct JSONFieldReader {
    public let object: JSONObject
    /// The path of the object with a final dot, such as `paymentData.header.`; empty for the whole document.
    private let prefix: String
    /// The errors, in the order in which they were found. No error repeats a value.
    public private(set) var errors: [ValidationError] = []

    /// - Parameter path: the path of the object, such as `paymentData.header`; empty for the whole document.
    public init(_ object: JSONObject, path: String = "") {
        self.object = object
        prefix = path.isEmpty ? "" : path + "."
    }

    /// Reads an object that may have only members with these names. If the JSON is not an object, that is an
    /// error of the path, or of `the body` if the path is empty.
    public init(_ json: JSON, path: String = "", knowing names: Set<String>) {
        self.init(json.objectValue ?? JSONObject(), path: path)
        if json.objectValue == nil {
            add([ValidationError(field: path.isEmpty ? "the body" : path, detail: "must be an object")])
        }
        for name in object.names where !names.contains(name) { add(name, "is not a setting here") }
    }

    /// Adds an error for a member.
    public mutating func add(_ name: String, _ detail: String) {
        errors.append(ValidationError(field: prefix + name, detail: detail))
    }

    public mutating func add(_ errors: [ValidationError]) { self.errors += errors }

    /// Returns the value of a member; `nil` if it is absent or null.
    public func value(_ name: String) -> JSON? {
        guard let value = object[name] else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// Reads a text.
    ///
    /// - Parameter limit: the limit in bytes of UTF-8.
    /// - Returns: the text; `nil` if the member is absent or has an error. A required text must not be empty.
    public mutating func text(_ name: String, limit: Int, required: Bool = false) -> String? {
        switch value(name) {
        case nil:
            if required { add(name, "is missing") }
            return nil
        case .string(let text)?:
            guard !required || !text.isEmpty else {
                add(name, "is empty")
                return nil
            }
            guard text.utf8.count <= limit else {
                add(name, "is longer than \(limit) characters")
                return nil
            }
            return text
        case let other?:
            add(name, "must be a string, not \(other.kind)")
            return nil
        }
    }

    /// Reads a base64 text.
    ///
    /// - Parameters:
    ///   - limit: the limit in characters. A longer text is rejected before it is decoded.
    ///   - isDigest: whether the value must have the 32 bytes of a SHA-256.
    public mutating func base64(_ name: String, limit: Int, required: Bool, isDigest: Bool = false) -> Base64Text? {
        guard let text = text(name, limit: limit, required: required) else { return nil }
        do throws(TextEncodingError) {
            let value = try Base64Text(text)
            return hasLength(value.bytes, isDigest: isDigest, name) ? value : nil
        } catch {
            add(name, error.description)
            return nil
        }
    }

    /// The same as ``base64(_:limit:required:isDigest:)``, for hexadecimal digits.
    public mutating func hex(_ name: String, limit: Int, required: Bool, isDigest: Bool = false) -> HexText? {
        guard let text = text(name, limit: limit, required: required) else { return nil }
        do throws(TextEncodingError) {
            let value = try HexText(text)
            return hasLength(value.bytes, isDigest: isDigest, name) ? value : nil
        } catch {
            add(name, error.description)
            return nil
        }
    }

    private mutating func hasLength(_ bytes: [UInt8], isDigest: Bool, _ name: String) -> Bool {
        if bytes.isEmpty { add(name, "is empty") }
        if !bytes.isEmpty, isDigest, bytes.count != 32 { add(name, "has \(bytes.count) bytes; a SHA-256 has 32") }
        return !bytes.isEmpty && (!isDigest || bytes.count == 32)
    }

    /// Reads an object.
    ///
    /// - Returns: a reader for the object in the member. Its errors must be added to this reader.
    public mutating func object(_ name: String, required: Bool = false) -> JSONFieldReader? {
        switch value(name) {
        case nil:
            if required { add(name, "is missing") }
            return nil
        case .object(let object)?: return JSONFieldReader(object, path: prefix + name)
        case let other?:
            add(name, "must be an object, not \(other.kind)")
            return nil
        }
    }

    /// Reads a number.
    ///
    /// - Parameter detail: the requirement on the value.
    public mutating func number(_ name: String, in range: ClosedRange<Double>, _ detail: String) -> Double? {
        guard let value = value(name) else { return nil }
        if case .number(let literal) = value, let number = Double(literal), range.contains(number) { return number }
        add(name, detail)
        return nil
    }

    /// Reads a whole number.
    ///
    /// - Parameter detail: the requirement on the value.
    public mutating func whole<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>, _ detail: String
    ) -> Number? {
        guard let value = value(name) else { return nil }
        if case .number(let literal) = value, let number = Number(literal), range.contains(number) { return number }
        add(name, detail)
        return nil
    }

    /// Returns the choice with the name in the member.
    public mutating func choice<Choice>(
        _ name: String, of choices: [Choice], named text: (Choice) -> String
    ) -> Choice? {
        guard let value = value(name) else { return nil }
        if let choice = choices.first(where: { text($0) == value.stringValue }) { return choice }
        add(name, "must be one of \(choices.map(text).joined(separator: ", "))")
        return nil
    }

    /// Returns the members that are texts, by name. Each other member is an error, in the order of the members.
    ///
    /// - Parameters:
    ///   - names: the allowed names; `nil` for any name.
    ///   - subject: the object that has the fields, for the error "is not a field of CAPTURE".
    ///   - numeric: the name of a member that may also be a number. Its literal is returned, so that `100.5` and
    ///     `1e3` can be rejected and are not rounded.
    public mutating func texts(
        allowing names: Set<String>? = nil, of subject: String = "", digitsIn numeric: String? = nil
    ) -> [String: String] {
        var texts: [String: String] = [:]
        // One more than needed, for the client's address.
        texts.reserveCapacity(object.members.count + 1)
        for member in object.members {
            guard names?.contains(member.name) ?? true else {
                add(member.name, "is not a field of \(subject)")
                continue
            }
            switch member.value {
            case .string(let text): texts[member.name] = text
            case .number(let literal) where member.name == numeric: texts[member.name] = literal
            case let other:
                let expected = member.name == numeric ? "a whole number, or a string of digits" : "a string"
                add(member.name, "must be \(expected), not \(other.kind)")
            }
        }
        return texts
    }
}
