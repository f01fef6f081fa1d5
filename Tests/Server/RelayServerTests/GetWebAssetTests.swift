import Foundation
import HTTPTypes
import Hummingbird
import ServedFiles
import TestPrograms
import Testing

@testable import RelayServer

@Suite struct GetWebAssetTests {
    @Test(
        "checkout pages load the module as it is in the sources, under a media type that browsers run",
        arguments: [
            ("payrelay.js", GetWebAsset.module, "text/javascript; charset=utf-8"),
            ("payrelay.d.ts", GetWebAsset.declarations, "text/plain; charset=utf-8"),
        ])
    func servesTheSourceUnchanged(name: String, asset: GetWebAsset, mediaType: String) async throws {
        let source = Project.url("Sources/Server/ServedFiles/\(name)")
        let routes = [Route(.get, "/\(name)", access: .anyone, respond: asset.respond)]
        let answer = try await ServerBench.answer(of: routes, to: .get, "/\(name)")
        let bytes = Array(try Data(contentsOf: source))
        #expect(answer.status == .ok && answer.body == bytes)
        #expect(answer.headers[.contentType] == mediaType)
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        #expect(answer.headers[.cacheControl] == "no-cache")
    }

    private func get(
        _ path: String, _ fields: HTTPFields = [:]
    ) async throws -> (status: HTTPResponse.Status, headers: HTTPFields, body: [UInt8]) {
        let module = GetWebAsset.module
        let routes = ["/payrelay.js", "/payrelay/{version}/payrelay.js"].map {
            Route(.get, $0, access: .anyone, respond: module.respond)
        }
        return try await ServerBench.answer(of: routes, to: .get, path, headers: fields)
    }

    @Test("at the path of its version the module is cached for a year, and at another version's path it is revalidated")
    func theVersionsPath() async throws {
        let present = try await get(WebAssets.versionedPath)
        #expect(present.body == WebAssets.module)
        #expect(present.headers[.cacheControl] == "public, max-age=31536000, immutable")
        for version in ["0000000000000000", "x", String(WebAssets.versionedPath.dropFirst(10).prefix(15))] {
            let other = try await get("/payrelay/\(version)/payrelay.js")
            #expect(other.status == .ok && other.body == WebAssets.module)
            #expect(other.headers[.cacheControl] == "no-cache")
        }
    }

    @Test("a browser that has the module gets 304, even through a proxy that weakens the tag")
    func notModified() async throws {
        let tag = try #require(try await get("/payrelay.js").headers[.eTag])
        for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let answer = try await get("/payrelay.js", [.ifNoneMatch: condition])
            #expect(answer.status == .notModified && answer.body.isEmpty && answer.headers[.eTag] == tag)
            #expect(answer.headers[.contentType] == nil)
        }
        for condition in ["\"x\"", "", String(tag.dropLast()), "\"\(tag)\""] {
            #expect(try await get("/payrelay.js", [.ifNoneMatch: condition]).status == .ok)
        }
    }

    @Test(
        "the module is compressed only for clients that accept gzip, and with a separate tag",
        arguments: [
            ("gzip", true), ("GZIP;q=0.5", true), ("br, gzip, deflate", true), ("gzip;q=0", false),
            ("gzip; q=0.000", false), ("br", false), ("", false), ("xgzip", false), ("gzip\u{301}", false),
        ])
    func compression(accepted: String, isCompressed: Bool) async throws {
        let answer = try await get("/payrelay.js", [.acceptEncoding: accepted])
        #expect(answer.body == (isCompressed ? WebAssets.compressedModule : WebAssets.module))
        #expect(answer.headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
        #expect(answer.headers[.vary] == "Accept-Encoding")
        #expect(answer.headers[.eTag]?.contains("gzip") == isCompressed)
    }
}
