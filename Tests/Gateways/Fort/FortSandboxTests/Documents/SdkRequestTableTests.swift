import FortAPI
import FortDocuments
import Foundation
import PayrelayPrimitives
import Testing

@testable import FortSandbox

/// FORT's tables of requests against the requests that the sandbox accepts and refuses.
@Suite(.enabled(if: SharedDocuments.areThere)) struct SdkRequestTableTests {
    private let sdk: SdkExchange

    init() throws { sdk = try SdkExchange() }

    private static let operations: [FortDocument] = [
        .guideOperationRequest, .operationsRequest, .tabularOperationRequest, .sdkRequest,
    ]

    /// `RequestTableTests` lists the parameters that only FORT demands, with the reasons.
    @Test(arguments: operations) func withoutAMandatoryParameterNothingIsPaid(document: FortDocument) async throws {
        let token = try await sdk.token()
        let apple = document == .sdkRequest ? try sdk.applePay() : [:]
        for field in try document.table().fields where field.isMandatory == true {
            guard !["signature", "customer_ip", "digital_wallet"].contains(field.name) else { continue }
            let code = try await sdk.code(sdk.operation(token, "A", apple.adding(field.name, .null)))
            #expect(code == (field.name == "command" ? "00004" : "00001"), "\(field.name)")
        }
        #expect(await sdk.bench.sandbox.orders.isEmpty)
    }

    /// Tests each parameter by itself, at its maximum length and one character beyond.
    @Test(arguments: operations) func aParameterPastItsLengthIsRefused(document: FortDocument) async throws {
        let apple = document == .sdkRequest ? try sdk.applePay() : [:]
        let unlimited: Set = ["signature", "token_name", "sdk_token"]
        for field in try document.table().fields where !unlimited.contains(field.name) && field.values.isEmpty {
            let limit = field.maximumLength ?? 0
            let value = String(repeating: "1", count: limit + 1)
            let code = try await sdk.code(sdk.operation(sdk.token(), "A", apple.adding(field.name, .string(value))))
            #expect(["00032", "00002", "00005", "00013"].contains(code ?? ""), "\(field.name): \(code ?? "")")
            guard
                ["settlement_reference", "customer_name", "phone_number"].contains(field.name)
                    || field.name.hasPrefix("merchant_")
            else { continue }
            let reference = UUID().uuidString
            let good = field.name == "merchant_reference" ? String(value.dropLast()) : reference
            let changes = apple.adding(field.name, .string(String(value.dropLast())))
            guard document != .sdkRequest else { continue }
            #expect(try await sdk.code(sdk.operation(sdk.token(), good, changes)) == "14000", "\(field.name)")
        }
    }

    /// Tests the conditions in brackets after the schemes: "for Purchase operations only", "and eci Ecommerce".
    @Test func eachSchemeIsTakenUnderItsConditions() async throws {
        let option = try #require(try FortDocument.operationsRequest.table()["payment_option"])
        #expect(option.values.count == 8)
        for scheme in option.values {
            let condition = option.conditions[scheme]?.lowercased() ?? ""
            let isForPurchases = condition.contains("for purchase operations")
            #expect(PaymentOptionRules.forPurchasesOnly.contains(scheme) == isForPurchases)
            for eci in ["ECOMMERCE", "MOTO"] {
                let isForMOTO = PaymentOptionRules.forMailAndTelephone.contains(scheme)
                #expect(!isForMOTO || !condition.contains("ecommerce"))
                for (command, success) in [("AUTHORIZATION", "02000"), ("PURCHASE", "14000")] {
                    let failure = command == "PURCHASE" ? "13" : "03"
                    let expected =
                        isForPurchases && command == "AUTHORIZATION"
                        ? failure + "049" : eci == "MOTO" && !isForMOTO ? failure + "113" : success
                    let request: JSONObject = [
                        "payment_option": .string(scheme), "eci": .string(eci), "command": .string(command),
                    ]
                    let code = try await sdk.code(sdk.operation(sdk.token(), UUID().uuidString, request))
                    #expect(code == expected, "\(scheme) \(eci) \(command)")
                }
            }
        }
    }

    /// Tests the request for an SDK token without each mandatory parameter.
    @Test(arguments: [FortDocument.guideTokenRequest, .tabularTokenRequest])
    func aRequestForATokenNeedsWhatTheTableSays(document: FortDocument) async throws {
        let message = FortMessage(signing: try FortRequest(deviceID: SdkExchange.device), for: sdk.bench.account)
        for field in try document.table().fields {
            let limit = field.maximumLength ?? 0
            let long = JSON.string(String(repeating: "1", count: limit + 1))
            let codes = (
                missing: try await sdk.bench.code(of: sdk.bench.changed(message, [field.name: .null])),
                long: try await sdk.bench.code(of: sdk.bench.changed(message, [field.name: long]))
            )
            switch field.name {
            case "service_command": #expect(codes == ("00004", "00004"))
            case "access_code": #expect(codes == ("00001", "00009") || codes == ("00001", "00010"))
            case "merchant_identifier": #expect(codes == ("00001", "00010") || codes == ("00001", "00009"))
            // The bench signs the request anew after any change.
            case "signature": #expect(codes == ("22000", "22000"))
            case "language": #expect(codes == ("00001", "00033"))
            default: #expect(codes == ("00001", "00032"), "\(field.name)")
            }
        }
    }
}

extension JSONObject {
    fileprivate func adding(_ name: String, _ value: JSON) -> JSONObject {
        var object = self
        object[name] = value
        return object
    }
}
