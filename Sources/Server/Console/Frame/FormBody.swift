import HTTPTypes
import PayrelayPrimitives
import RelayServer

/// The fields of an HTML form or of a query: names with their texts, each at most once.
package struct FormBody: Sendable {
    /// The limit in bytes. The longest form is the one with a token.
    static let sizeLimit = 65_536

    private let fields: JSONObject

    static let empty = FormBody(fields: [:])

    private init(fields: JSONObject) {
        self.fields = fields
    }

    /// - Throws: ``ConsoleError`` if a browser cannot have sent the bytes.
    init(parsing bytes: [UInt8]) throws(ConsoleError) {
        do throws(PayrelayPrimitives.URLEncodedFormError) {
            fields = try URLEncodedForm(parsing: bytes, parameterLimit: 32).parameters
        } catch {
            throw .invalid("It is not a form that a browser sends: \(error).")
        }
    }

    /// - Throws: ``ConsoleError`` 415, or 400 if a browser cannot have sent the body.
    init(of request: RelayRequest) throws(ConsoleError) {
        let mediaType = request.head.headerFields[.contentType]?.cut(at: ";").before.trimmedOfSpaces
        guard mediaType?.isSame(ignoringCaseOf: "application/x-www-form-urlencoded") == true else {
            throw ConsoleError(
                status: .unsupportedMediaType, title: "This is no form", detail: "Nothing was done.")
        }
        try self.init(parsing: request.bytes)
    }

    /// Reads the query of a request.
    init(queryOf request: RelayRequest) throws(ConsoleError) {
        try self.init(parsing: Array((request.head.path?.cut(at: "?").after ?? "").utf8))
    }

    /// Returns the text of a path segment that ``Links/encoded(_:)`` wrote; `nil` for any other segment.
    static func decoded(_ segment: String) -> String? {
        (try? FormBody(parsing: Array("segment=\(segment)".utf8)))?["segment"]
    }

    /// The text of a field without surrounding white space; `nil` if the field is missing or empty.
    package subscript(name: String) -> String? {
        let text = fields[name]?.stringValue?.trimmedOfWhiteSpace
        return text?.isEmpty == true ? nil : text
    }
}
