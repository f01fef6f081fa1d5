import HTTPTypes
import Hummingbird
import PayrelayPrimitives
import SandboxParts

extension PortmoneSandbox {
    /// Adds the routes under `/_sandbox/portmone/…`, which are for tests. Portmone does not have them.
    func addSettings(to router: Router<SandboxRequestContext>) {
        router.get("/_sandbox/portmone/bills") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(streaming: await self.books.numbers) { numbers in
                    await self.books.bills(in: numbers).map {
                        $0.bill.bookEntry(chargeRequests: $0.chargeRequests)
                    }
                })
        }
        router.addSettings(of: self, under: "/_sandbox/portmone", messages: "notifications")
        router.addSettings(
            at: "/_sandbox/portmone/charges", get: { self.chargesAsJSON },
            set: { json throws(ValidationErrors) in try self.setCharges(json) }, delete: { self.resetCharges() })
        router.post("/_sandbox/portmone/notifications") { request, _ in
            try await request.answer { json throws(ValidationErrors) in try await self.notify(json) }
        }
    }
}
