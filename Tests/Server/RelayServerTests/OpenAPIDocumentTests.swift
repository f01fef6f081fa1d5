import AccessControl
import ApplePayToken
import FortAPI
import FortModule
import Foundation
import GatewayModule
import HTTPTypes
import Hummingbird
import JournalContract
import Logging
import Observability
import OutboundHTTP
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import TestPrograms
import Testing
import Yams

@testable import RelayServer

@Suite struct OpenAPIDocumentTests {
    private let document: APIDescription
    private let routes: [Route]

    init() throws {
        document = try APIDescription(of: Self.text("docs/openapi.yaml"))
        routes = try Self.routes()
    }

    @Test func hasEveryRouteAndNoOther() {
        #expect(Set(document.operations.map(\.name)) == Set(routes.map(\.name)))
    }

    @Test func saysWhoMayUseEachRoute() {
        for route in routes {
            #expect(
                document.operations.first { $0.name == route.name }?.callers == route.callers, "\(route.name)")
        }
    }

    @Test func hasEveryKindOfProblemUnderItsStatusAndNoOther() throws {
        let kinds = ProblemKind.allCases.map {
            APIDescription.DocumentedProblem(status: "\($0.status)", slug: $0.rawValue)
        }
        #expect(document.problems == Set(kinds))
    }

    /// Every operation may answer with these errors.
    @Test func documentsTheErrorsBeforeEveryOperation() {
        for operation in document.operations {
            let expected: Set = operation.callers.isEmpty ? ["405", "500"] : ["401", "403", "405", "500", "503"]
            #expect(expected.isSubset(of: operation.statuses), "\(operation.name)")
        }
    }

    @Test func hasEveryFieldOfAnOrderWithItsLimits() throws {
        let own: Set = ["account", "application_data_hash", "token"]
        let fields = FortField.ofOrder
        let request = try #require(document.schema("PaymentRequest"))
        #expect(request.properties == own.union(fields.map(\.name)))
        // The client's address replaces a missing customer_ip.
        #expect(
            request.required
                == Set(fields.filter(\.isMandatory).map(\.name)).subtracting(["customer_ip"]).union(["token"]))
        try expectLimits(of: fields, in: request)
    }

    @Test func hasEveryFieldOfARecurringPaymentWithItsLimits() throws {
        let fields = FortField.ofRecurring
        let request = try #require(document.schema("RecurringPaymentRequest"))
        #expect(request.properties == Set(fields.map(\.name)).union(["account"]))
        // Each of these two fields has only one value, which replaces a missing one.
        #expect(request.required == Set(fields.filter(\.isMandatory).map(\.name)).subtracting(["command", "eci"]))
        try expectLimits(of: fields, in: request)
    }

    private func expectLimits(of fields: [FortField], in request: APIDescription.Schema) throws {
        for field in fields {
            let property = try #require(document.resolved(request.node["properties"]?[field.name]))
            switch field.content {
            case .characters:
                #expect(property["maxLength"]?.int == field.maximumLength, "\(field.name)")
            case .values(let values):
                // An optional field may also be empty, which means that it is absent.
                #expect(Set(property.words) == Set(values + (field.isMandatory ? [] : [""])), "\(field.name)")
            default: break
            }
        }
    }

    @Test func hasEveryCurrencyThatCanBeCharged() throws {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
        let codes = letters.flatMap { first in letters.flatMap { second in letters.map { first + second + $0 } } }
        let taken = codes.filter { Currency(code: $0) != nil }
        #expect(try Set(#require(document.schema("Currency")).node.words) == Set(taken))
    }

    @Test(arguments: [
        ("Outcome", PaymentState.allCases.map(\.rawValue)), ("CheckName", CheckName.allCases.map(\.rawValue)),
        ("ResponseClass", FortCode.Class.allCases.map(\.rawValue)),
    ])
    func hasEveryWord(of schema: String, words: [String]) throws {
        #expect(try #require(document.schema(schema)).node.words == words)
    }

    private static func routes() throws -> [Route] {
        let account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("REQ"),
            responsePhrase: Secret("RES"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let outbound = OutboundClient()
        defer { outbound.shutdown() }
        let fort = try FortModule(accounts: FortAccounts(account)).connect(
            over: outbound, registry: MetricsRegistry(), logger: logger)
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: MemoryJournal(),
            gateways: .only(
                fort.gateway, vocabulary: AnswerVocabulary([(FortModule.name, FortModule.answerFields)])),
            logger: logger)
        return RelayRoutes(relay: relay, bodyLimit: 262_144).all + fort.routes(relay: relay, bodyLimit: 262_144)
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Project.url(path), encoding: .utf8)
    }
}

extension Route {
    /// The operation's name, such as `POST /v1/payments/{merchant_reference}/capture`.
    fileprivate var name: String { "\(method.rawValue) \(path)" }

    fileprivate var callers: Set<String> {
        switch access {
        case .anyone, .ownPage, .gateway, .operators, .console: []
        case .clients(let scope): ["bearer \(scope.rawValue)"]
        case .clientsAndOrderTokens(let scope): ["bearer \(scope.rawValue)", "orderToken \(scope.rawValue)"]
        }
    }
}
