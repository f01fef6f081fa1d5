import HTTPTypes
import Hummingbird
import PayrelayPrimitives
import SandboxParts

extension PortmoneSandbox {
    /// `/_sandbox/portmone/…`: routes for tests, which Portmone does not have.
    func addSettings(to router: Router<SandboxRequestContext>) {
        let sandbox = self
        router.get("/_sandbox/portmone/bills") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(streaming: await sandbox.books.numbers) { numbers in
                    await sandbox.books.bills(in: numbers).map {
                        $0.bill.bookEntry(chargeRequests: $0.chargeRequests)
                    }
                })
        }
        router.get("/_sandbox/portmone/faults") { _, _ in Response(json: sandbox.faultsAsJSON.encoded()) }
        router.put("/_sandbox/portmone/faults") { request, _ in
            try await request.changeSettings { json throws(ValidationErrors) in
                try sandbox.setFaults(json)
                return sandbox.faultsAsJSON
            }
        }
        router.delete("/_sandbox/portmone/faults") { _, _ in
            sandbox.faults = PortmoneFaultSchedule([])
            return Response(status: .noContent)
        }
        router.get("/_sandbox/portmone/charges") { _, _ in Response(json: sandbox.chargesAsJSON.encoded()) }
        router.put("/_sandbox/portmone/charges") { request, _ in
            try await request.changeSettings { json throws(ValidationErrors) in
                try sandbox.setCharges(json)
                return sandbox.chargesAsJSON
            }
        }
        router.delete("/_sandbox/portmone/charges") { _, _ in
            sandbox.resetCharges()
            return Response(status: .noContent)
        }
        router.get("/_sandbox/portmone/notifications") { _, _ in Response(json: sandbox.notificationsAsJSON.encoded()) }
        router.put("/_sandbox/portmone/notifications") { request, _ in
            try await request.changeSettings { json throws(ValidationErrors) in
                try sandbox.setNotifications(json)
                return sandbox.notificationsAsJSON
            }
        }
        router.post("/_sandbox/portmone/notifications") { request, _ in
            try await request.changeSettings { json throws(ValidationErrors) in try await sandbox.notify(json) }
        }
        router.delete("/_sandbox/portmone/notifications") { _, _ in
            sandbox.notifications = nil
            return Response(status: .noContent)
        }
    }
}
