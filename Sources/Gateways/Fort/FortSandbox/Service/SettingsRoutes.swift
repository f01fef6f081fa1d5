import Hummingbird
import PayrelayPrimitives
import SandboxParts

extension FortSandbox {
    /// Adds the routes under `/_sandbox/…`, which are for tests. FORT does not have them.
    func addSettings(to router: Router<SandboxRequestContext>) {
        router.addSettings(of: self, under: "/_sandbox", messages: "feedback")
        router.addSettings(
            at: "/_sandbox/references", get: { await self.referencesAsJSON },
            set: { json throws(ValidationErrors) in try await self.setReferences(json) },
            delete: { await self.books.setTakesAnotherTry(false) })
        router.get("/_sandbox/agreements") { _, _ in
            Response(json: JSON.array(await self.books.agreements(limit: 1_000)).encoded())
        }
        router.delete("/_sandbox/agreements/:agreement_id") { _, context in
            let ended = await self.end(agreement: context.parameters.get("agreement_id") ?? "")
            return Response(status: ended ? .noContent : .notFound)
        }
    }
}
