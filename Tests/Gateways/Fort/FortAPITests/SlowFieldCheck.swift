import PayrelayPrimitives

@testable import FortAPI

extension FortField {
    /// Finds the errors that ``FortField/errors(in:)`` must find, one scalar at a time.
    func slowErrors(in value: String) -> [String] {
        let missing = isMandatory ? ["is missing"] : []
        if value.isEmpty { return missing }
        let controls: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        if let control = value.unicodeScalars.first(where: { controls.contains($0.properties.generalCategory) }) {
            return ["must not contain the control character \(control.slowCodePoint)"]
        }
        let trimmed = value.slowlyTrimmed
        if trimmed.isEmpty { return missing }
        return origin == .token ? [] : slowViolations(in: (characters?.others.contains(" ") ?? false) ? trimmed : value)
    }

    /// Finds the violations of the documented limits, which are a part of the errors.
    func slowViolations(in value: String) -> [String] {
        var violations: [String] = []
        if let maximumLength, value.unicodeScalars.count > maximumLength, content != .amount {
            violations.append("must be at most \(maximumLength) characters")
        }
        switch content {
        case .characters, .paddedCharacters:
            var scalars = Array(value.unicodeScalars)
            var ending = ""
            if case .paddedCharacters = content {
                ending = ", and == at its end"
                for _ in 0..<2 where scalars.last == "=" { scalars.removeLast() }
            }
            if let characters, let other = scalars.first(where: { !characters.slowlyContains($0) }) {
                violations.append("must not contain \(other.slowCodePoint); it may contain \(characters)\(ending)")
            }
        case .values(let values):
            let isOne = values.contains {
                $0 == value
                    || origin == .token && $0.lowercased() == value.lowercased() && $0.utf8.count == value.utf8.count
            }
            if !isOne {
                violations.append(
                    values.count == 1 ? "must be \(values[0])" : "must be one of \(values.joined(separator: ", "))")
            }
        case .amount:
            let isWritten = value.allSatisfy { ("0"..."9").contains($0) && $0.isASCII } && value.first != "0"
            if !isWritten || !(1...9_999_999_999).contains(Int(value) ?? 0) {
                violations.append("must be a whole number of minor units, 1 to 9999999999")
            }
        case .currency:
            if Currency(code: value) == nil { violations.append("must be an ISO 4217 currency code such as AED") }
        case .emailAddress:
            if !value.isSlowlyEmailAddress { violations.append("must be an email address such as name@example.com") }
        case .ipAddress:
            if IPAddress(value) == nil { violations.append("must be an IPv4 or IPv6 address") }
        case .text, .object: break
        }
        return violations
    }

    private var characters: FortCharacters? {
        switch content {
        case .characters(let characters), .paddedCharacters(let characters): characters
        default: nil
        }
    }
}

extension FortCharacters {
    fileprivate func slowlyContains(_ scalar: Unicode.Scalar) -> Bool {
        if others.unicodeScalars.contains(scalar) || ("0"..."9").contains(scalar) { return true }
        let categories: [Unicode.GeneralCategory] = [
            .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark,
            .decimalNumber,
        ]
        guard categories.contains(scalar.properties.generalCategory) else { return false }
        return letters == .any || letters == .ascii && scalar.isASCII
    }
}

extension Unicode.Scalar {
    fileprivate var slowCodePoint: String {
        let hex = String(value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        return (0x21..<0x7F).contains(value) ? "\(name) (\(self))" : name
    }
}

extension String {
    var slowlyTrimmed: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }.reversed().drop { $0.properties.isWhitespace }
        return String(String.UnicodeScalarView(scalars.reversed()))
    }

    fileprivate var isSlowlyEmailAddress: Bool {
        let parts = unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let label = FortCharacters(letters: .ascii, others: "-")
        let local = FortCharacters(letters: .ascii, others: "-_.+")
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return parts[0].allSatisfy(local.slowlyContains) && labels.count >= 2
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(label.slowlyContains) }
    }
}
