import HTTPTypes
import Hummingbird
import NIOCore
import Primitives
import Testing

@testable import RelayServer

@Suite struct RequestJSONTests {
    private func request(_ body: String, mediaType: String?) -> Request {
        var head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/")
        head.headerFields[.contentType] = mediaType
        return Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "application/json;charset=utf-8", "APPLICATION/JSON",
        "application/json ; a=b", "application/json\t",
    ])
    func jsonIsReadWhateverParametersFollowItsName(mediaType: String) async throws {
        #expect(try await request("{}", mediaType: mediaType).readJSON(limit: 2) == [:])
    }

    @Test(arguments: [
        nil, "", "application/jsonx", "application/xjson", "text/json", "application/json, text/plain", "json",
        "application/problem+json", "application /json",
    ])
    func whatIsNotSaidToBeJSONIsNotRead(mediaType: String?) async throws {
        let problem = await #expect(throws: Problem.self) {
            try await request("{}", mediaType: mediaType).readJSON(limit: 2)
        }
        #expect(problem?.status == .unsupportedMediaType)
    }

    @Test func readsBodiesUpToTheLimit() async throws {
        #expect(try await request("[1]", mediaType: "application/json").readJSON(limit: 3) == [1])
        let problem = await #expect(throws: Problem.self) {
            try await request("[1]", mediaType: "application/json").readJSON(limit: 2)
        }
        #expect(problem?.status == .contentTooLarge)
    }
}
