package import Hummingbird
import NIOCore
package import PayrelayPrimitives

extension Router {
    /// Settings of a sandbox: GET shows them, PUT sets them, DELETE takes them away.
    ///
    /// - Parameters:
    ///   - set: throws where something is wrong with them; nothing is changed then.
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
    /// The settings that every gateway's sandbox has: its faults, and its messages.
    ///
    /// - Parameters:
    ///   - path: of the settings.
    ///   - messages: the last part of the path of its messages' settings.
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
    /// Answers with what is made of the body, or with everything that is wrong with it.
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
