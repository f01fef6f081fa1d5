import HTTPListener
import HTTPTypes
import Hummingbird
import Testing

@testable import RelayServer

@Suite struct RouteTableTests {
    private static let table = RouteTable(
        [
            (.post, "/v1/payments"), (.get, "/v1/payments"), (.get, "/v1/payments/{merchant_reference}"),
            (.post, "/v1/payments/{merchant_reference}/sync"), (.get, "/payrelay/{version}/payrelay.js"),
            (.get, "/console/**"), (.get, "/console/payment"), (.get, "/console/codes/{code}"),
        ].map { method, path in
            Route(method, path, access: .anyone) { _ in Answer(json: []) }
        })

    @Test(
        "A path leads to its routes, and its parameter is the written text",
        arguments: [
            ("/v1/payments", "/v1/payments", ""), ("/v1/payments?limit=1", "/v1/payments", ""),
            ("/v1/payments/A-1", "/v1/payments/{merchant_reference}", "A-1"),
            ("/v1/payments/a%20b?x=/", "/v1/payments/{merchant_reference}", "a%20b"),
            ("/v1/payments/A-1/sync", "/v1/payments/{merchant_reference}/sync", "A-1"),
            ("/v1/payments/sync", "/v1/payments/{merchant_reference}", "sync"),
            ("/v1/payments/{merchant_reference}", "/v1/payments/{merchant_reference}", "{merchant_reference}"),
            ("/payrelay/0a/payrelay.js", "/payrelay/{version}/payrelay.js", "0a"),
            ("/console/payment?reference=1", "/console/payment", ""),
            ("/console/codes/00", "/console/codes/{code}", "00"),
            ("/console/other", "/console/**", "other"), ("/console/codes/a/b?c", "/console/**", "codes/a/b"),
        ])
    func aPathLeadsToItsRoutes(target: String, name: String, parameter: String) {
        let found = Self.table.path(of: target)
        #expect(found?.path.name == name)
        #expect(found?.parameter == parameter)
    }

    @Test(
        "Nothing else leads anywhere",
        arguments: [
            nil, "", "/", "*", "/v1", "/v1/payments/", "//v1/payments", "/v1/payments//sync", "/v1/payments/A/other",
            "/v1/payments/A/B/sync", "/v1/payments/..", "/v1/payments/A%2Fsync", "/v1/payments/%2e%2e/sync",
            "/payrelay//payrelay.js", "/payrelay/a/b/payrelay.js", "v1/payments", "/V1/payments", "/console",
            "/console/", "/console//other", "/console/a/", "/console/../live",
        ])
    func nothingElseLeadsAnywhere(target: String?) {
        #expect(Self.table.path(of: target) == nil)
    }

    @Test("A GET route answers HEAD, and another method gets the list of methods")
    func aMethodIsTheRoutes() throws {
        let path = try #require(Self.table.path(of: "/v1/payments")).path
        #expect(try path.route(for: .head).method == .get)
        #expect(try path.route(for: .post).method == .post)
        let problem = #expect(throws: Problem.self) { try path.route(for: .delete) }
        #expect(problem?.answer.head.headerFields[.allow] == "POST, GET, HEAD")
    }
}
