import PayrelayPrimitives

extension FortField {
    /// Returns every reason why FORT would reject the value, such as "must be at most 40 characters". The
    /// result is empty if the value is valid, or if an optional value is missing. An empty value counts as
    /// missing.
    ///
    /// For a part of Apple's token, only absence and control characters are errors; for its limits see
    /// ``warnings(in:)``.
    public func errors(in value: String?) -> [String] {
        guard let value, !value.isEmpty else { return isMandatory ? ["is missing"] : [] }
        // The fast path for nearly every value: there is nothing to trim and no Unicode category to look up.
        if value.isVisibleASCIIWithoutSpaceAround { return origin == .token ? [] : limitViolations(in: value) }
        if let control = value.firstControlCharacter {
            return ["must not contain the control character \(control.codePoint)"]
        }
        let trimmed = value.trimmedOfWhiteSpace
        if trimmed.isEmpty { return isMandatory ? ["is missing"] : [] }
        return origin == .token ? [] : limitViolations(in: acceptsSpaces ? trimmed : value)
    }

    /// Returns the documented limits that a value from Apple's token exceeds. Genuine tokens come close to some
    /// limits, and APS does not say that FORT enforces them. So a violation is logged, and is not a reason to
    /// reject the token.
    public func warnings(in value: String) -> [String] {
        origin == .token ? limitViolations(in: value.trimmedOfWhiteSpace) : []
    }

    /// Returns the errors in the values of these fields, including missing values, in the order of the fields.
    static func errors(of fields: [FortField], in value: (_ name: String) -> String?) -> [ValidationError] {
        var errors: [ValidationError] = []
        // The loop uses indices so that no field is copied.
        for place in fields.indices {
            for detail in fields[place].errors(in: value(fields[place].name)) {
                errors.append(ValidationError(field: fields[place].name, detail: detail))
            }
        }
        return errors
    }

    private var acceptsSpaces: Bool {
        switch content {
        case .characters(let characters), .paddedCharacters(let characters): characters.allowSpaces
        default: false
        }
    }

    private func limitViolations(in value: String) -> [String] {
        var limitViolations: [String] = []
        // A text never has more scalars than bytes, and counting bytes is cheap. An amount is excluded, because
        // its limit is a number, and the error about its content is more precise.
        if let maximumLength, value.utf8.count > maximumLength, value.unicodeScalars.count > maximumLength,
            content != .amount
        {
            limitViolations.append("must be at most \(maximumLength) characters")
        }
        if let limitViolation = contentViolation(in: value) { limitViolations.append(limitViolation) }
        return limitViolations
    }

    private func contentViolation(in value: String) -> String? {
        switch content {
        case .characters(let characters):
            if value.withBytes({ $0.allSatisfy(characters.contains(ascii:)) }) { return nil }
            return limitViolation(of: value.unicodeScalars[...], from: characters)
        case .paddedCharacters(let characters):
            let scalars = value.unicodeScalars
            let padding = scalars.suffix(2).reversed().prefix { $0 == "=" }.count
            return limitViolation(of: scalars.dropLast(padding), from: characters).map { "\($0), and == at its end" }
        case .values(let values):
            if values.contains(value) || origin == .token && values.contains(where: { $0.isSameWord(as: value) }) {
                return nil
            }
            return values.count == 1 ? "must be \(values[0])" : "must be one of \(values.joined(separator: ", "))"
        case .amount:
            let isAmount = MinorUnits(parsing: value).map { $0 > .zero } ?? false
            return isAmount ? nil : "must be a whole number of minor units, 1 to \(MinorUnits.limit)"
        case .currency:
            return Currency(code: value) == nil ? "must be an ISO 4217 currency code such as AED" : nil
        case .emailAddress:
            return isEmailAddress(value) ? nil : "must be an email address such as name@example.com"
        case .ipAddress:
            return IPAddress(value) != nil ? nil : "must be an IPv4 or IPv6 address"
        case .text, .object:
            return nil
        }
    }
}

private func limitViolation(of scalars: String.UnicodeScalarView.SubSequence, from characters: FortCharacters)
    -> String?
{
    guard let other = scalars.first(where: { !characters.contains($0) }) else { return nil }
    return "must not contain \(other.codePoint); it may contain \(characters)"
}

/// Whether the text is an email address by FORT's rules. FORT's guides allow letters, digits and `- _ . @ +`, and
/// a domain has at least two labels.
private func isEmailAddress(_ text: String) -> Bool {
    text.withBytes { bytes in
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0,
            bytes[..<at].allSatisfy(emailLocalPart.contains(ascii:))
        else { return false }
        let labels = bytes[(at + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(domainLabel.contains(ascii:)) }
    }
}

private let emailLocalPart = FortCharacters(letters: .ascii, others: "-_.+")
private let domainLabel = FortCharacters(letters: .ascii, others: "-")

extension String {
    /// Whether Apple's word and FORT's word differ only in case: PassKit writes `mada` and FORT's page `Mada`;
    /// Apple Pay JS writes `masterCard`.
    fileprivate func isSameWord(as other: String) -> Bool {
        isSame(ignoringCaseOf: other)
    }

    fileprivate var isVisibleASCIIWithoutSpaceAround: Bool {
        utf8.first != UInt8(ascii: " ") && utf8.last != UInt8(ascii: " ") && isVisibleASCII
    }

    /// Whether the text is only visible ASCII. The token's values are long and nearly always so, and looking up
    /// the category of every scalar takes time.
    private var isVisibleASCII: Bool {
        withBytes { $0.hasNone { $0.below(0x20) | $0.equal(to: 0x7F) | $0.beyondASCII } }
    }

    fileprivate var firstControlCharacter: Unicode.Scalar? {
        isVisibleASCII ? nil : unicodeScalars.first { $0.isControl }
    }
}

extension Unicode.Scalar {
    /// Whether the character controls a terminal, a line or the direction of text instead of being visible.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The code point such as `U+000A`, followed by the character itself if it is visible ASCII.
    fileprivate var codePoint: String {
        let hex = String(value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        return (0x21..<0x7F).contains(value) ? "\(name) (\(self))" : name
    }
}
