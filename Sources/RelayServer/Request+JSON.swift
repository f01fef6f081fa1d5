import HTTPTypes
import Hummingbird
import NIOCore
import OrderedJSON

extension Request {
    /// Reads the whole body as JSON.
    ///
    /// - Parameter limit: in bytes; what goes beyond is not kept.
    /// - Throws: ``Problem`` 415 where the media type is another, 413 beyond the limit, 400 where it ends too early or is not JSON.
    func readJSON(limit: Int) async throws -> JSON {
        guard headers[.contentType].map(Self.isJSON) == true else { throw Problem.notJSONMediaType }
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: limit)
        } catch {
            throw Problem.incompleteBody
        }
        do throws(JSONError) {
            return try JSON(parsing: Array(buffer.readableBytesView))
        } catch {
            throw Problem.notJSON("The body is not valid JSON: \(error).")
        }
    }

    /// `application/json`, whatever parameters follow.
    private static func isJSON(_ mediaType: String) -> Bool {
        let essence = mediaType.prefix { $0 != ";" }.lowercased().trimmingSuffix { $0 == " " || $0 == "\t" }
        return essence == "application/json"
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var end = endIndex
        while end > startIndex, isTrimmed(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
