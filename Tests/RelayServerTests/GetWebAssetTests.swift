import Foundation
import HTTPTypes
import Testing

@testable import RelayServer

@Suite struct GetWebAssetTests {
    @Test(
        "checkout pages load the module as it stands in the sources, under a media type that browsers run",
        arguments: [
            ("payrelay.js", GetWebAsset.module, "text/javascript; charset=utf-8"),
            ("payrelay.d.ts", GetWebAsset.declarations, "text/plain; charset=utf-8"),
        ])
    func servesTheSourceUnchanged(name: String, asset: GetWebAsset, mediaType: String) async throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Server/WebAssets/\(name)")
        let routes = [Route(.get, "/\(name)", access: .anyone, respond: asset.respond)]
        let answer = try await ServerBench.answer(of: routes, to: .get, "/\(name)")
        let bytes = Array(try Data(contentsOf: source))
        #expect(answer.status == .ok && answer.body == bytes)
        #expect(answer.headers[.contentType] == mediaType)
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
    }
}
