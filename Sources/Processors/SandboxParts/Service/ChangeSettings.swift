package import Hummingbird
import NIOCore
package import PayrelayPrimitives

extension Request {
    /// Answers with the settings as they now are, or with everything that is wrong with those that were sent.
    ///
    /// - Parameter apply: changes them, and returns them.
    package func changeSettings(
        _ apply: (JSON) async throws(ValidationErrors) -> JSON
    ) async throws -> Response {
        let body = try await body.collect(upTo: 65_536)
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: Array(body.readableBytesView))
        } catch {
            return Response(
                json: Array(#"{"errors":[{"field":"the body","detail":"is not JSON"}]}"#.utf8), status: .badRequest)
        }
        do throws(ValidationErrors) {
            return Response(json: try await apply(json).encoded())
        } catch {
            return Response(json: JSON.object(["errors": error.errors.json]).encoded(), status: .badRequest)
        }
    }
}
