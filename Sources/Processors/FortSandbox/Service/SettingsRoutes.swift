import Hummingbird
import PayrelayPrimitives
import SandboxParts

extension FortSandbox {
    /// `/_sandbox/…`: routes for tests, which FORT does not have.
    func addSettings(to router: Router<SandboxRequestContext>) {
        let sandbox = self
        router.get("/_sandbox/faults") { _, _ in Response(json: sandbox.faultsAsJSON.encoded()) }
        router.put("/_sandbox/faults") { request, _ in
            try await request.changeSettings { json throws(ValidationErrors) in
                try sandbox.setFaults(json)
                return sandbox.faultsAsJSON
            }
        }
        router.delete("/_sandbox/faults") { _, _ in
            sandbox.faults = FaultSchedule([])
            return Response(status: .noContent)
        }
        router.get("/_sandbox/feedback") { _, _ in Response(json: sandbox.feedbackAsJSON.encoded()) }
        router.put("/_sandbox/feedback") { request, _ in
            try await request.changeSettings { json throws(ValidationErrors) in
                try sandbox.setFeedback(json)
                return sandbox.feedbackAsJSON
            }
        }
        router.delete("/_sandbox/feedback") { _, _ in
            sandbox.feedback = nil
            return Response(status: .noContent)
        }
        router.get("/_sandbox/references") { _, _ in Response(json: await sandbox.referencesAsJSON.encoded()) }
        router.put("/_sandbox/references") { request, _ in
            try await request.changeSettings { json throws(ValidationErrors) in
                try await sandbox.setReferences(json)
                return await sandbox.referencesAsJSON
            }
        }
        router.delete("/_sandbox/references") { _, _ in
            await sandbox.books.setTakesAnotherTry(false)
            return Response(status: .noContent)
        }
        router.get("/_sandbox/agreements") { _, _ in
            Response(json: JSON.array(await sandbox.books.agreements(limit: 1_000)).encoded())
        }
        router.delete("/_sandbox/agreements/:agreement_id") { _, context in
            let ended = await sandbox.end(agreement: context.parameters.get("agreement_id") ?? "")
            return Response(status: ended ? .noContent : .notFound)
        }
    }
}
