import PayrelayPrimitives

/// Finds one field in a body of `application/x-www-form-urlencoded` (WHATWG URL, 5.1).
///
/// Portmone does not publish how its serializer escapes, so bytes that the serializer may have left unescaped are
/// taken literally. A body with the same field twice is rejected, because two readers could choose different
/// ones.
enum NotificationForm {
    private static let fieldLimit = 50

    /// Returns the decoded value of a field; `nil` if the body does not have the field.
    static func field(_ name: String, of body: [UInt8]) throws(PortmoneNotificationError) -> [UInt8]? {
        var found: [UInt8]?
        let pairs = body.split(separator: UInt8(ascii: "&"), maxSplits: fieldLimit)
        guard pairs.count <= fieldLimit else { throw .tooLarge }
        for pair in pairs {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard try decoded(pair[..<equals]).elementsEqual(name.utf8) else { continue }
            guard found == nil else { throw .notAForm }
            found = try decoded(pair[min(equals + 1, pair.endIndex)...])
        }
        return found
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(PortmoneNotificationError) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                    throw .notAForm
                }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return decoded
    }
}
