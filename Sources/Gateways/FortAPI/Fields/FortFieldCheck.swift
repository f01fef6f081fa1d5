import PayrelayPrimitives

extension FortField {
    /// Everything for which FORT would refuse this value, in words: "must be at most 40 characters". Empty where the value
    /// is good, or where there is none and need be none. An empty value is none.
    ///
    /// Of what comes from Apple's token only absence and control characters are errors; for the rest see
    /// ``warnings(in:)``.
    public func errors(in value: String?) -> [String] {
        guard let value, !value.isEmpty else { return isMandatory ? ["is missing"] : [] }
        // Nearly every value: nothing to trim, nothing to look up.
        if value.isVisibleASCIIWithoutSpaceAround { return origin == .token ? [] : limitViolations(in: value) }
        if let control = value.firstControlCharacter {
            return ["must not contain the control character \(control.codePoint)"]
        }
        let trimmed = value.trimmedOfWhiteSpace
        if trimmed.isEmpty { return isMandatory ? ["is missing"] : [] }
        return origin == .token ? [] : limitViolations(in: acceptsSpaces ? trimmed : value)
    }

    /// How a value from Apple's token exceeds FORT's documented limits. Genuine tokens come close to some and APS does
    /// not say that it enforces them, so this is for a log and not a reason to refuse.
    public func warnings(in value: String) -> [String] {
        origin == .token ? limitViolations(in: value.trimmedOfWhiteSpace) : []
    }

    /// The errors of the values of these fields, missing ones included, in the fields' order.
    static func errors(of fields: [FortField], in value: (_ name: String) -> String?) -> [ValidationError] {
        var errors: [ValidationError] = []
        // By place: a field is not copied for it.
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
        // Nothing has more scalars than bytes, and those are counted already.
        // The limit of an amount is a number, and says more.
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

/// FORT's guides allow letters, digits and `- _ . @ +`; a domain has at least two labels.
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
    /// Whether Apple's word is FORT's but for its case: PassKit writes `mada` where FORT's page has `Mada`, and Apple Pay JS
    /// `masterCard`.
    fileprivate func isSameWord(as other: String) -> Bool {
        isSame(ignoringCaseOf: other)
    }

    fileprivate var isVisibleASCIIWithoutSpaceAround: Bool {
        utf8.first != UInt8(ascii: " ") && utf8.last != UInt8(ascii: " ") && isVisibleASCII
    }

    /// The token's values are long and visible ASCII; looking a scalar's category up takes its time.
    private var isVisibleASCII: Bool {
        withBytes { $0.hasNone { $0.below(0x20) | $0.equal(to: 0x7F) | $0.beyondASCII } }
    }

    fileprivate var firstControlCharacter: Unicode.Scalar? {
        isVisibleASCII ? nil : unicodeScalars.first { $0.isControl }
    }
}

extension Unicode.Scalar {
    /// Whether it steers a terminal, a line or the direction of text instead of being seen.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// `U+000A`; and the sign itself where it is ASCII and visible.
    fileprivate var codePoint: String {
        let hex = String(value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        return (0x21..<0x7F).contains(value) ? "\(name) (\(self))" : name
    }
}
