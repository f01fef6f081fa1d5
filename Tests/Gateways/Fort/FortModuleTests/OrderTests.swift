import ApplePayToken
import FortAPI
import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing
import TokenMint

@testable import FortModule

@Suite struct OrderTests {
    @Test func anOrderIsMadeOfFieldsWithinTheirLimits() throws {
        let fort = try ScriptedFort(answering: [:])
        let order = try fort.gateway.prepare(Samples.fields, account: "default", with: fort.token).order
        #expect(order.amount == 10_000 && order.command == .purchase && order.currency == "AED")
        #expect(order.merchantReference == "A" && order.account == "default")
    }

    @Test func anAuthorizationStaysOne() throws {
        let fort = try ScriptedFort(answering: [:])
        let fields = Samples.fields.merging(["command": "AUTHORIZATION"]) { $1 }
        #expect(
            try fort.gateway.prepare(fields, account: "default", with: fort.token).order.command == .authorization)
    }

    @Test func everyErrorOfOrderAndTokenIsNamedAtOnce() throws {
        let fort = try ScriptedFort(answering: [:])
        let bare = try PaymentToken(json: ["paymentData": fort.json["paymentData"] ?? .null])
        let error = #expect(throws: ValidationErrors.self) {
            try fort.gateway.prepare(["command": "REFUND", "oops": "x"], account: "default", with: bare)
        }
        #expect(
            error?.errors.map(\.field) == [
                "command", "merchant_reference", "amount", "currency", "language", "customer_email", "customer_ip",
                "oops", "token.paymentMethod.displayName", "token.paymentMethod.network", "token.paymentMethod.type",
            ])
    }

    @Test func theErrorsOfAnOrderWithoutATokenAreNamedToo() throws {
        let fort = try ScriptedFort(answering: [:])
        #expect(fort.gateway.validationErrors(in: Samples.fields).isEmpty)
        #expect(fort.gateway.validationErrors(in: ["oops": "x"]).map(\.field).contains("oops"))
    }

    /// Every part of the token for which FORT has a field can be found in the app's request.
    @Test func everyFieldOfTheTokenHasAPathInTheRequest() throws {
        let request: JSON = [
            "token": [
                "paymentData": [
                    "data": "", "signature": "",
                    "header": [
                        "transactionId": "", "ephemeralPublicKey": "", "publicKeyHash": "", "applicationData": "",
                    ],
                ],
                "paymentMethod": ["displayName": "", "network": "", "type": ""],
            ]
        ]
        for field in FortField.all where field.origin == .token && field.content != .object {
            let path = ValidationError(field: field.name, detail: "is missing").underRequestPath.field
            let place = path.split(separator: ".").reduce(Optional(request)) { $0?[String($1)] }
            #expect(place != nil, "\(field.name) is at \(path)")
            #expect(field.name.hasSuffix("_" + (path.split(separator: ".").last ?? "")))
        }
    }

    @Test func aFieldOfTheOrderKeepsItsName() {
        for field in FortField.ofOrder {
            #expect(ValidationError(field: field.name, detail: "is missing").underRequestPath.field == field.name)
        }
    }

    @Test func aWrappedKeyIsRefusedByTheNameOfItsVersion() throws {
        let fort = try ScriptedFort(answering: [:])
        let minted = try #require(fort.json["paymentData"])
        let header: JSON = [
            "wrappedKey": "AAAA", "publicKeyHash": minted["header"]?["publicKeyHash"] ?? .null,
            "transactionId": minted["header"]?["transactionId"] ?? .null,
        ]
        let token = try PaymentToken(
            json: [
                "paymentData": [
                    "version": "RSA_v1", "data": minted["data"] ?? .null, "signature": minted["signature"] ?? .null,
                    "header": header,
                ],
                "paymentMethod": fort.json["paymentMethod"] ?? .null,
            ])
        let error = #expect(throws: ValidationErrors.self) {
            try fort.gateway.prepare(["oops": "x"].merging(Samples.fields) { $1 }, account: "default", with: token)
        }
        #expect(error?.errors.map(\.field) == ["token.paymentData.version", "oops"])
        #expect(error?.errors.first?.detail.contains("RSA_v1") == true)
    }
}
