import Foundation
import PayrelayPrimitives
import SandboxParts
import Synchronization
import Testing
import TokenMint

@testable import PortmoneSandbox

/// A sandbox and a merchant who sends Portmone's requests to it, without HTTP.
final class PortmoneBench: Sendable {
    static let account = PortmoneSandboxAccount(
        payeeId: "1185", login: "SHOP", password: Secret("pass phrase"), signingKey: Secret("testkey"),
        appleMerchantIdentifier: "merchant.shop", currencies: [hryvnia, .KWD])
    static let other = PortmoneSandboxAccount(
        payeeId: "1186", login: "OTHER", password: Secret("another"), appleMerchantIdentifier: "merchant.other",
        currencies: [hryvnia])

    private static var hryvnia: Currency {
        guard let currency = Currency(code: "UAH") else { preconditionFailure("UAH is a currency") }
        return currency
    }

    let sandbox: PortmoneSandbox
    private let clock: Clock

    private final class Clock: Sendable {
        let seconds = Mutex(Date().timeIntervalSince1970)
    }

    init(
        _ charges: ChargeSettings = ChargeSettings(), billLimit: Int = 1_000, requestLimit: Int = 4_096,
        bodyTimeout: Duration = .seconds(10), notificationInterval: Duration = .seconds(10)
    ) {
        let clock = Clock()
        self.clock = clock
        sandbox = PortmoneSandbox(
            accounts: [Self.account, Self.other], charges: charges, billLimit: billLimit, requestLimit: requestLimit,
            bodyTimeout: bodyTimeout, notificationInterval: notificationInterval,
            now: { Date(timeIntervalSince1970: clock.seconds.withLock { $0 }) })
    }

    func wait(seconds: Double) {
        clock.seconds.withLock { $0 += seconds }
    }

    /// - Parameter amount: The amount in minor units.
    static func token(_ amount: Int = 12_550, _ currency: String = "UAH", pki: SandboxPKI = .published) throws -> JSON {
        try TokenMint(pki: pki).mint(TokenContents(amount: amount, currency: currency), signedAt: Date())
    }

    /// Returns Apple's `paymentData` as JSON text.
    static func text(of token: JSON) throws -> JSON {
        .string(String(decoding: try #require(token["paymentData"]).encoded(), as: UTF8.self))
    }

    static var credentials: JSONObject { ["login": "SHOP", "password": "pass phrase", "payeeId": "1185"] }

    /// Returns the data of an `APay`. A null removes a member.
    ///
    /// - Parameter amount: The amount in minor units of a currency with two decimals.
    func payment(
        _ order: String, amount: Int = 12_550, token: JSON? = nil, _ changes: JSONObject = [:]
    ) throws -> JSONObject {
        let data: JSONObject = [
            "aPayMerchantName": "merchant.shop", "paymentData": try Self.text(of: token ?? Self.token(amount)),
            "billAmount": .number(DecimalAmount.write(amount, exponent: 2)), "shopOrderNumber": .string(order),
            "billCurrency": "UAH",
        ]
        return Self.changed(Self.changed(data, Self.credentials), changes)
    }

    static func changed(_ object: JSONObject, _ changes: JSONObject) -> JSONObject {
        var object = object
        for change in changes.members { object[change.name] = change.value == .null ? nil : change.value }
        return object
    }

    static func body(_ method: String, _ data: JSONObject) -> [UInt8] {
        JSON.object(["method": .string(method), "params": ["data": .object(data)], "id": 7]).encoded()
    }

    /// Sends a request and returns the method's answer. At `.r3` the answer is taken out of its envelope.
    func send(_ method: String, _ data: JSONObject, at path: GatewayPath = .r3) async throws -> JSON {
        let answer = try await answer(to: Self.body(method, data), at: path)
        guard path == .r3 else { return answer }
        #expect(answer["id"] == "7")
        return try #require(answer["result"])
    }

    func answer(to body: [UInt8], at path: GatewayPath = .r3) async throws -> JSON {
        guard case .answer(let bytes) = await sandbox.reply(to: body, at: path) else { throw Silence() }
        return try JSON(parsing: bytes)
    }

    struct Silence: Error {}

    @discardableResult
    func pay(_ order: String, amount: Int = 12_550, _ changes: JSONObject = [:]) async throws -> JSON {
        try await send("APay", payment(order, amount: amount, changes))
    }

    /// Performs an operation on an order after its charge.
    func operate(
        _ method: String, _ order: String, _ data: JSONObject = [:], at path: GatewayPath = .r3
    ) async throws -> JSON {
        let named = Self.changed(["shopOrderNumber": .string(order)], data)
        return try await send(method, Self.changed(Self.credentials, named), at: path)
    }

    /// Returns the bills of an order in `result`, each as `status amount`.
    func state(_ order: String) async throws -> [String] {
        try #require(try await operate("result", order).arrayValue).map {
            "\($0["status"]?.stringValue ?? "none") \($0["billAmount"]?.stringValue ?? "none")"
        }
    }
}

extension JSON {
    /// The code of an error, in either spelling of its name; `0` if there is no error.
    var errorCode: String? { (self["errorCode"] ?? self["error_code"])?.stringValue }

    /// Whether every value of an object, or of the objects of an array, is a string.
    var hasOnlyTexts: Bool {
        arrayValue?.allSatisfy(\.hasOnlyTexts) ?? objectValue?.members.allSatisfy { $0.value.stringValue != nil }
            ?? false
    }
}

extension PortmoneSandbox {
    /// Returns the newest bills, the newest first, in the form of `GET /_sandbox/portmone/bills`.
    func newestBills(limit: Int) async -> [JSON] {
        await books.bills(in: books.numbers.suffix(limit)).reversed().map {
            $0.bill.bookEntry(chargeRequests: $0.chargeRequests)
        }
    }
}
