import Foundation
import FoundationXML
import GatewayTestParts
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import PortmoneSandbox

/// Notifications over HTTP: in both forms, repeated, late, lost and forged.
@Suite(.timeLimit(.minutes(25))) struct NotificationTests {
    private static let acknowledgement = #"{"errorCode":"0","reason":"OK","responseId":"1"}"#

    /// Runs a receiver and a sandbox, and then sets up the notifications.
    private func with(
        _ bench: PortmoneBench, _ receiver: MessageReceiver, _ settings: String = #""format": "json""#,
        _ test: @Sendable (_ base: String) async throws -> Void
    ) async throws {
        try await receiver.serve { shop in
            try await RunningPortmone.with(bench.sandbox) { base in
                let put = try await HTTP.send(
                    .put, "\(base)/_sandbox/portmone/notifications", #"{"url": "\#(shop)/notify", \#(settings)}"#)
                #expect(put.status == 200)
                try await test(base)
            }
        }
    }

    @Test("A charge is notified once it is paid, held or declined, and not while it waits for the bank's page")
    func chargesAreNotified() async throws {
        let bench = PortmoneBench()
        let receiver = MessageReceiver(with: Self.acknowledgement) { _ in 200 }
        try await with(bench, receiver) { _ in
            try await bench.pay("WAITS", amount: 10_300)
            try await bench.pay("PAID")
            try await bench.pay("HELD", ["preauthFlag": "Y"])
            try await bench.pay("DECLINED", amount: 10_666)
            while bench.sandbox.sender.counts.delivered < 3 { try await Task.sleep(for: .milliseconds(5)) }
        }
        let told = try receiver.received.map { try JSON(parsing: $0.body) }
        #expect(Set(told.map { $0["shopOrderNumber"] }) == ["PAID", "HELD", "DECLINED"])
        let paid = told.first { $0["shopOrderNumber"] == "PAID" }
        #expect(paid?["status"] == "PAYED" && paid?["billAmount"] == "125.50" && paid?["shopBillId"] == "550000001")
        #expect(receiver.received.allSatisfy { $0.contentType == "application/json" && $0.path == "/notify" })
    }

    @Test("The XML form is BILLS in the form field data, and any XML reader reads it")
    func theXMLForm() async throws {
        let bench = PortmoneBench()
        let receiver = MessageReceiver(with: "OK\n") { _ in 200 }
        let order = "A & <B>+%"
        try await with(bench, receiver, #""format": "xml""#) { _ in
            try await bench.pay(order)
            while bench.sandbox.sender.counts.delivered < 1 { try await Task.sleep(for: .milliseconds(5)) }
        }
        let message = try #require(receiver.received.first)
        #expect(message.contentType == "application/x-www-form-urlencoded")
        let form = try #require(URLComponents(string: "?" + String(decoding: message.body, as: UTF8.self))?.queryItems)
        #expect(form.map(\.name) == ["data"])
        let document = try XMLDocument(xmlString: try #require(form.first?.value))
        func text(_ path: String) throws -> String? {
            try document.nodes(forXPath: "/BILLS/BILL/\(path)").first?.stringValue
        }
        #expect(try text("BILL_NUMBER") == order && text("BILL_ID") == "550000000")
        #expect(try text("PAYED_AMOUNT") == "125.50" && text("PAYEE/CODE") == "1185")
    }

    @Test(
        "An answer that acknowledges nothing is not the end of it", arguments: ["{}", "OK", "", #"{"errorCode":"1"}"#])
    func notAcknowledged(text: String) async throws {
        let bench = PortmoneBench(notificationInterval: .milliseconds(2))
        let receiver = MessageReceiver(with: text) { _ in 200 }
        try await with(bench, receiver) { _ in
            try await bench.pay("A")
            while bench.sandbox.sender.counts.givenUp < 1 { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(receiver.received.count == NotificationSender.tries)
    }

    @Test("A notification is sent on request: again, in the other form, repeatedly, and forged")
    func onRequest() async throws {
        let bench = PortmoneBench()
        let receiver = MessageReceiver(with: Self.acknowledgement) { _ in 200 }
        try await with(bench, receiver, #""after_charges": false"#) { base in
            try await bench.pay("A")
            let path = "\(base)/_sandbox/portmone/notifications"
            let sent = try await HTTP.send(.post, path, #"{"shop_order_number": "A", "copies": 3}"#)
            #expect(sent.status == 200 && sent.json?["shop_bill_id"] == "550000000")
            try await receiver.wait(for: 3)
            let forged = #"{"amount": "1.00", "shop_order_number": "B", "shop_bill_id": "1", "status": "PAYED"}"#
            _ = try await HTTP.send(.post, path, #"{"shop_bill_id": "550000000", "forged": \#(forged)}"#)
            try await receiver.wait(for: 4)
            for body in [
                #"{"shop_order_number": "B"}"#, "{}", #"{"shop_order_number": "A", "format": "csv"}"#,
                #"{"shop_order_number": "A", "forged": {"password": "x"}}"#,
                #"{"shop_order_number": "A", "url": "http://shop.example/"}"#,
            ] {
                let refused = try await HTTP.send(.post, path, body)
                #expect(refused.status == 400 && refused.json?["errors"]?.arrayValue?.count == 1, "\(body)")
            }
        }
        let told = try receiver.received.map { try JSON(parsing: $0.body) }
        #expect(
            told.count == 4 && told[..<3].allSatisfy { $0["billAmount"] == "125.50" && $0["shopOrderNumber"] == "A" })
        let forged: JSON = ["shopOrderNumber": "B", "shopBillId": "1", "billAmount": "1.00", "status": "PAYED"]
        #expect(told.last == forged)
        // The forged notification has changed nothing in the books.
        #expect(try await bench.state("A") == ["PAYED 125.50"])
        #expect(try await bench.state("B") == [])
    }

    @Test("The settings are shown with the counts, and taken away")
    func settings() async throws {
        let bench = PortmoneBench()
        try await RunningPortmone.with(bench.sandbox) { base in
            let path = "\(base)/_sandbox/portmone/notifications"
            #expect(try await HTTP.send(.get, path).json?["url"] == .null)
            for body in [
                "[]", "{}", #"{"url": 5}"#, #"{"url": "http://shop.example/"}"#,
                #"{"url": "https://a.example/", "copies": 11}"#,
                #"{"url": "https://a.example/", "format": "form"}"#,
                #"{"url": "https://a.example/", "after_charges": 1}"#,
            ] {
                #expect(try await HTTP.send(.put, path, body).status == 400, "\(body)")
            }
            #expect(bench.sandbox.notifications == nil)
            let put = try await HTTP.send(
                .put, path, #"{"url": "https://shop.example/n?key=1", "format": "xml", "copies": 2}"#)
            #expect(put.json?["format"] == "xml" && put.json?["copies"] == 2 && put.json?["delivered"] == 0)
            #expect(try await HTTP.send(.delete, path).status == 204)
            #expect(bench.sandbox.notifications == nil)
        }
    }
}
