package import Hummingbird
import NIOCore
package import PayrelayPrimitives

extension Router {
    /// Adds routes for settings of a sandbox: GET shows them, PUT changes them, DELETE removes them.
    ///
    /// - Parameters:
    ///   - set: changes the settings, or throws their errors and changes nothing.
    package func addSettings(
        at path: RouterPath, get: @escaping @Sendable () async -> JSON,
        set: @escaping @Sendable (JSON) async throws(ValidationErrors) -> Void,
        delete: @escaping @Sendable () async -> Void
    ) {
        self.get(path) { _, _ in Response(json: await get().encoded()) }
        self.put(path) { request, _ in
            try await request.answer { json throws(ValidationErrors) in
                try await set(json)
                return await get()
            }
        }
        self.delete(path) { _, _ in
            await delete()
            return Response(status: .noContent)
        }
    }
}

extension Router {
    /// Adds the routes for the settings that every gateway's sandbox has: those of faults and of messages.
    ///
    /// - Parameters:
    ///   - path: the path of the settings.
    ///   - messages: the last part of the path to the settings of messages.
    package func addSettings(of sandbox: some SandboxOnDesk, under path: String, messages: String) {
        addSettings(
            at: "\(path)/faults", get: { sandbox.faults.json },
            set: { json throws(ValidationErrors) in sandbox.faults = try SeededFaultSchedule(json: json) },
            delete: { sandbox.faults = SeededFaultSchedule([]) })
        addSettings(
            at: "\(path)/\(messages)", get: { .object(sandbox.messages) },
            set: { json throws(ValidationErrors) in try sandbox.setMessages(json) },
            delete: { try? sandbox.setMessages(nil) })
    }
}

extension Request {
    /// Answers with the result of `make` for the body, or with every error in the body.
    package func answer(
        _ make: (JSON) async throws(ValidationErrors) -> JSON
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
            return Response(json: try await make(json).encoded())
        } catch {
            return Response(json: JSON.object(["errors": error.errors.json]).encoded(), status: .badRequest)
        }
    }
}
