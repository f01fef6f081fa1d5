import HTTPTypes
import PayrelayPrimitives
import RelayServer

/// The fields of an HTML form's body, or of a query: names with their texts, each once.
package struct FormBody: Sendable {
    /// In bytes. The longest is that of a token.
    static let sizeLimit = 65_536

    private let fields: JSONObject

    static let empty = FormBody(fields: [:])

    private init(fields: JSONObject) {
        self.fields = fields
    }

    /// - Throws: ``ConsoleError`` where a browser cannot have written it.
    init(parsing bytes: [UInt8]) throws(ConsoleError) {
        do throws(PayrelayPrimitives.URLEncodedFormError) {
            fields = try URLEncodedForm(parsing: bytes, parameterLimit: 32).parameters
        } catch {
            throw .invalid("It is no form that a browser sends: \(error).")
        }
    }

    /// - Throws: ``ConsoleError`` 415, or 400 if a browser cannot have written it.
    init(of request: RelayRequest) throws(ConsoleError) {
        let mediaType = request.head.headerFields[.contentType]?.cut(at: ";").before.trimmedOfSpaces
        guard mediaType?.isSame(ignoringCaseOf: "application/x-www-form-urlencoded") == true else {
            throw ConsoleError(
                status: .unsupportedMediaType, title: "This is no form", detail: "Nothing was done.")
        }
        try self.init(parsing: request.bytes)
    }

    /// The query of a request.
    init(queryOf request: RelayRequest) throws(ConsoleError) {
        try self.init(parsing: Array((request.head.path?.cut(at: "?").after ?? "").utf8))
    }

    /// The text of a segment of a path, as ``Links/encoded(_:)`` writes it; nil for any other.
    static func decoded(_ segment: String) -> String? {
        (try? FormBody(parsing: Array("segment=\(segment)".utf8)))?["segment"]
    }

    /// The text of a field, without the space around it; nil if missing or empty.
    package subscript(name: String) -> String? {
        let text = fields[name]?.stringValue?.trimmedOfWhiteSpace
        return text?.isEmpty == true ? nil : text
    }
}
