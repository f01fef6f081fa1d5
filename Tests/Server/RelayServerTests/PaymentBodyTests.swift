import ApplePayToken
import FortAPI
import FortModule
import Foundation
import HTTPTypes
import JournalContract
import OutboundHTTP
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import Testing
import TokenMint

@testable import RelayServer

@Suite struct PaymentBodyTests {
    /// A transport for tests that read bodies. They send nothing.
    private struct NoTransport: GatewayTransport {
        func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
            .notSent(reason: "this test has no FORT")
        }
    }

    private let gateway: FortGateway
    private let good: JSONObject

    init() throws {
        let account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("REQ"),
            responsePhrase: Secret("RES"))
        gateway = FortGateway(
            clients: FortClients(accounts: FortAccounts(account), endpoint: .fortTest, transport: NoTransport()),
            timeout: .seconds(1))
        good = [
            "command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": 10_000, "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
            "token": try TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date()),
        ]
    }

    private func read(_ json: JSON, clientAddress: String? = "192.0.2.1") throws(Problem) -> PaymentRequest {
        try PaymentRequest(
            body: json, clientAddress: clientAddress, gateways: .only(gateway), client: nil, identifier: "request")
    }

    private func with(_ name: String, _ value: JSON?) -> JSON {
        var changed = good
        changed[name] = value
        return .object(changed)
    }

    /// Returns the problem with which a body is refused.
    private func problem(_ json: JSON, clientAddress: String? = "192.0.2.1") throws -> Problem {
        try #require(throws: Problem.self) { try read(json, clientAddress: clientAddress) }
    }

    @Test func readsAnOrderAndAToken() throws {
        let body = try read(.object(good))
        #expect(body.order.command == .purchase)
        #expect(body.order.merchantReference == "ORDER-1")
        #expect(body.order.amount == 10_000)
        #expect(body.order.currency == "AED")
        #expect(
            body.order.fields == [
                "command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": "10000", "currency": "AED",
                "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
            ])
        #expect(body.token == (try PaymentToken(json: try #require(good["token"]))))
    }

    static let kinds: [JSON] = [.null, true, 7, ["x"], ["x": "y"]]

    @Test(arguments: FortField.ofOrder.map(\.name).filter { $0 != "amount" }, kinds)
    func requiresTextExceptForTheAmount(name: String, value: JSON) throws {
        let problem = try problem(with(name, value))
        #expect(problem.status.code == 400)
        #expect(problem.errors == [ValidationError(field: name, detail: "must be a string, not \(value.kind)")])
    }

    @Test(arguments: [JSON.null, true, ["x"], ["x": "y"]]) func acceptsAnAmountAsNumberOrDigits(value: JSON) throws {
        let faults = try problem(with("amount", value)).errors
        #expect(faults.map(\.field) == ["amount"])
        #expect(faults.first?.detail == "must be a whole number, or a string of digits, not \(value.kind)")
    }

    /// If the amounts were read as `Double`, the first five would all pass for whole numbers.
    @Test(arguments: ["1e4", "10000.0", "1.0E+4", "100.5", "9007199254740993.0", "0", "-1", "99999999999"])
    func neverRoundsAnAmount(literal: String) throws {
        for value in [JSON.number(literal), .string(literal)] {
            #expect(try problem(with("amount", value)).errors.map(\.field) == ["amount"])
        }
    }

    @Test func fingerprintsTheOrderAndNotItsFormatting() throws {
        let fingerprint = try read(.object(good)).fingerprint
        let token = try #require(good["token"])
        let text = String(decoding: token.encoded(), as: UTF8.self)
        let reversed = JSON.object(JSONObject(good.members.reversed().map { ($0.name, $0.value) }))
        for same in [
            reversed, with("amount", "10000"), with("token", .string(text)),
            with("token", .string(Data(text.utf8).base64EncodedString())),
        ] { #expect(try read(same).fingerprint == fingerprint) }
        #expect(try read(with("language", "ar")).fingerprint != fingerprint)
    }

    @Test func usesThePeersAddressAsCustomerIP() throws {
        let body = with("customer_ip", nil)
        let read = try read(body, clientAddress: "2001:db8::1")
        #expect(read.order.fields["customer_ip"] == "2001:db8::1")
        // If a phone changes its network, its request is still the same request.
        #expect(try self.read(body, clientAddress: "192.0.2.99").fingerprint == read.fingerprint)
        #expect(try self.read(.object(good), clientAddress: "192.0.2.99").order.fields["customer_ip"] == "192.0.2.10")
        #expect(try problem(body, clientAddress: nil).errors.map(\.field) == ["customer_ip"])
    }

    @Test func namesEveryErrorOfOrderAndTokenOnce() throws {
        let body: JSON = [
            "command": false, "amount": "1.5", "currency": "XXX", "language": "en", "colour": "red", "size": 7,
            "customer_email": "nobody", "token": ["paymentData": ["version": "EC_v1", "data": "!"]],
        ]
        let problem = try problem(body)
        #expect(problem.status.code == 400)
        let names = problem.errors.map(\.field)
        #expect(Set(names).count == names.count)
        for name in [
            "command", "merchant_reference", "amount", "currency", "colour", "size", "customer_email",
            "token.paymentData.data", "token.paymentData.signature", "token.paymentData.header",
        ] { #expect(names.contains(name)) }
        #expect(!names.contains("language") && !names.contains("customer_ip"))
    }

    @Test(arguments: [JSON.null, "", 7, "no JSON", [:], ["paymentMethod": [:]]])
    func reportsAMalformedTokenUnderItsField(
        token: JSON
    ) throws {
        let problem = try problem(with("token", token))
        #expect(problem.errors.allSatisfy { $0.field == "token" || $0.field.hasPrefix("token.") })
        #expect(problem.status.code == 400 && !problem.errors.isEmpty)
        #expect(try self.problem(with("token", nil)).errors == [ValidationError(field: "token", detail: "is missing")])
    }

    @Test func namesASimulatorToken() throws {
        let simulated: JSON = ["paymentData": "", "transactionIdentifier": "Simulated Identifier"]
        let alone = try problem(with("token", simulated))
        #expect(alone.status.code == 422)
        #expect(alone.kind == .simulatorToken)
        #expect(alone.detail.contains("iOS Simulator"))
        var both = good
        both["token"] = simulated
        both["currency"] = "XXX"
        let problem = try problem(.object(both))
        #expect(problem.status.code == 400)
        #expect(problem.errors.map(\.field) == ["currency"])
    }

    @Test(arguments: [JSON.null, true, 1, "x", []]) func requiresAnObject(json: JSON) throws {
        let problem = try problem(json)
        #expect(problem.status.code == 400)
        #expect(problem.detail.contains(json.kind))
    }
}
