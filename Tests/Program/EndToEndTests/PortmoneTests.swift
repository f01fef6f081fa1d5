import Foundation
import OutboundHTTP
import PayrelayAPI
import PayrelayPrimitives
import Testing
import TokenMint

/// One relay, two gateways: FORT in dirhams, Portmone in hryvnias.
@Suite(.timeLimit(.minutes(25))) struct PortmoneTests {
    private func order(
        _ reference: String, _ amount: Int = 10_000, _ currency: String = "UAH", command: String = "PURCHASE",
        _ changes: JSONObject = [:]
    ) throws -> JSON {
        var order: JSONObject = [
            "command": .string(command), "merchant_reference": .string(reference), "amount": JSON(amount),
            "currency": .string(currency), "language": "en", "customer_email": "olena@example.com",
            "token": try TokenMint().mint(TokenContents(amount: amount, currency: currency), signedAt: Date()),
        ]
        for member in changes.members { order[member.name] = member.value }
        return .object(order)
    }

    private func json(_ answer: OutboundAnswer) throws -> JSON { try JSON(parsing: answer.body) }

    /// Returns the bills in the books of Portmone's sandbox.
    private func bills(_ development: RunningDevelopment) async throws -> [JSON] {
        let client = OutboundClient()
        defer { client.shutdown() }
        let url = development.books.replacing("/_sandbox/orders", with: "/_sandbox/portmone/bills")
        return try JSON(
            parsing: try await client.send(
                OutboundRequest(method: .get, url: url, connectTimeout: .seconds(90), timeout: .seconds(300))
            ).get().body
        ).arrayValue
            ?? []
    }

    @Test("a phone pays at each gateway through one relay, and search, receipts and books distinguish them")
    func paysBoth() async throws {
        let development = try await RunningDevelopment()
        let ofFort = try json(try await development.post("/v1/payments", try order("F-1", 10_000, "AED")))
        #expect(ofFort["outcome"] == "captured" && ofFort["processor"] == "fort")
        let answer = try await development.post("/v1/payments", try order("P-1"))
        let receipt = try json(answer)
        #expect(answer.status == 200 && receipt["outcome"] == "captured", "\(receipt)")
        #expect(receipt["processor"] == "portmone" && receipt["status"] == "PAYED" && receipt["fort_id"] == nil)
        let document = try PaymentDocument(parsing: answer.body)
        #expect(document.gateway == "portmone" && document.answer.shopBillID != nil)
        #expect(document.json.encoded() == answer.body)
        // The same request again gets the same bytes, and charges nothing.
        let bill = try #require(receipt["shop_bill_id"]?.stringValue)
        for query in ["processor=portmone", "shop_bill_id=\(bill)", "processor_reference=\(bill)"] {
            let found = try json(try await development.get("/v1/payments?\(query)"))
            #expect(found["payments"]?.arrayValue?.map { $0["merchant_reference"] } == ["P-1"], "\(query)")
        }
        let csv = try await development.get("/v1/payments", headers: [(name: "Accept", value: "text/csv")])
        let head = String(decoding: csv.body, as: UTF8.self).split(separator: "\r\n").first ?? ""
        #expect(head.contains(",fort_id,") && head.contains(",shop_bill_id,") && head.contains(",processor,"))
        #expect(try await bills(development).count == 1)
        #expect(try await development.orders().count == 1)
    }

    @Test("Portmone's charges are captured, voided and refunded, and its refusals are declines")
    func operations() async throws {
        let development = try await RunningDevelopment()
        func post(_ path: String, _ body: JSON) async throws -> JSON {
            try json(try await development.post(path, body))
        }
        let held = try await post("/v1/payments", try order("H-1", command: "AUTHORIZATION"))
        #expect(held["outcome"] == "authorized", "\(held)")
        #expect(try await post("/v1/payments/H-1/capture", [:])["outcome"] == "captured")
        #expect(try await post("/v1/payments/H-1/refund", ["amount": 2_500])["outcome"] == "partially_refunded")
        #expect(try await post("/v1/payments", try order("V-1", command: "AUTHORIZATION"))["outcome"] == "authorized")
        #expect(try await post("/v1/payments/V-1/void", [:])["outcome"] == "voided")
        #expect(try await post("/v1/payments", try order("D-1", 10_012))["outcome"] == "declined")
        // The order was charged, and the answer has no body. The relay finds the outcome with `result`.
        #expect(try await post("/v1/payments", try order("E-1", 15_777))["outcome"] == "captured")
        // The bank wants to show the customer its own page, which is impossible in Apple's sheet.
        #expect(try await post("/v1/payments", try order("S-1", 10_300))["outcome"] == "uncertain")
        let view = try json(try await development.get("/v1/payments/H-1"))
        #expect(view["captured_amount"] == 10_000 && view["refunded_amount"] == 2_500)
        let wrong = try await development.post(
            "/v1/recurring-payments",
            [
                "merchant_reference": "R-1", "amount": 100, "currency": "UAH", "token_name": "x",
            ])
        #expect(wrong.status == 400)
    }

    @Test("R11: a forged notification of Portmone's changes nothing, in neither form")
    func forgedNotifications() async throws {
        let development = try await RunningDevelopment()
        #expect(try json(try await development.post("/v1/payments", try order("N-1", 10_012)))["outcome"] == "declined")
        let forged: JSON = ["shopOrderNumber": "N-1", "shopBillId": "1", "status": "PAYED", "billAmount": "100.12"]
        let answer = try await development.post("/v1/portmone/notifications", forged)
        #expect(answer.status == 200)
        #expect(try json(answer)["errorCode"] == "0")
        let client = OutboundClient()
        defer { client.shutdown() }
        func form(_ xml: String) async throws -> OutboundAnswer {
            let escaped = xml.utf8.map { String(format: "%%%02X", $0) }.joined()
            return try await client.send(
                OutboundRequest(
                    url: development.address + "/v1/portmone/notifications",
                    headers: [(name: "Content-Type", value: "application/x-www-form-urlencoded")],
                    body: Array("data=\(escaped)".utf8), connectTimeout: .seconds(90), timeout: .seconds(300))
            ).get()
        }
        let bill = "<BILLS><BILL><BILL_ID>1</BILL_ID><BILL_NUMBER>N-1</BILL_NUMBER></BILL></BILLS>"
        let acknowledged = try await form(bill)
        #expect(acknowledged.status == 200 && acknowledged.body == Array("OK".utf8))
        // The notification is about an order that the merchant took without the relay.
        let other = try await form(bill.replacing("N-1", with: "3892/1"))
        #expect(other.status == 200 && other.body == Array("OK".utf8))
        let bomb = "<!DOCTYPE b [<!ENTITY a \"aaaa\">]>" + bill
        #expect(try await form(bomb).status == 400)
        #expect(try await form(String(repeating: "<A>", count: 20_000)).status == 400)
        let unknown = try await development.post(
            "/v1/portmone/notifications", ["shopOrderNumber": "NEVER-SEEN", "shopBillId": "9", "status": "PAYED"])
        #expect(unknown.status == 200)
        // The relay queried the order, and Portmone's own answer counts.
        let synced = try json(try await development.post("/v1/payments/N-1/sync", [:]))
        #expect(synced["outcome"] == "declined")
        #expect(try await development.get("/v1/payments/NEVER-SEEN").status == 404)
    }
}
