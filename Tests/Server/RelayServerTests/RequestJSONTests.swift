import HTTPListener
import HTTPTypes
import Logging
import NIOCore
import PayrelayPrimitives
import Testing
import UnderWay

@testable import RelayServer

@Suite struct RequestJSONTests {
    private func request(_ body: String, mediaType: String?) -> RelayRequest {
        var head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/")
        head.headerFields[.contentType] = mediaType
        return RelayRequest(
            head: head, body: ByteBuffer(string: body), pathParameter: "", sender: nil, clientAddress: nil,
            identifier: "test", underWay: RequestUnderWay(WorkUnderWay()), executor: nil,
            baseLogger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "application/json;charset=utf-8", "APPLICATION/JSON",
        "application/json ; a=b", "application/json\t",
    ])
    func jsonIsReadWhateverParametersFollowItsName(mediaType: String) throws {
        #expect(try request("{}", mediaType: mediaType).json() == [:])
    }

    @Test(arguments: [
        nil, "", "application/jsonx", "application/xjson", "text/json", "application/json, text/plain", "json",
        "application/problem+json", "application /json",
    ])
    func aBodyThatIsNotDeclaredAsJSONIsNotRead(mediaType: String?) {
        let problem = #expect(throws: Problem.self) { try request("{}", mediaType: mediaType).json() }
        #expect(problem?.status == .unsupportedMediaType)
    }

    @Test func anAbsentBodyMayStandForSomething() throws {
        #expect(try request("", mediaType: nil).json(orEmpty: [:]) == [:])
        #expect(throws: Problem.self) { try request("", mediaType: nil).json() }
        #expect(throws: Problem.self) { try request("{}", mediaType: nil).json(orEmpty: [:]) }
    }
}
