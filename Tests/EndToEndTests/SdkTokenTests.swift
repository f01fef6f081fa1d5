import Foundation
import OrderedJSON
import OutboundHTTP
import Testing

/// `POST /v1/sdk-tokens`, for apps that pay with FORT's own mobile SDK.
@Suite struct SdkTokenTests {
    private static let device = "ffffffff-a9fa-0b44-7b27-29e70033c587"

    @Test func fortsTokenIsAnsweredAsItSignedItAndNeverLogged() async throws {
        let relay = try await RunningRelay()
        let answer = try await relay.post("/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device)]).encoded())
        #expect(answer.status == 200)
        let token = try #require(answer.json?["sdk_token"]?.stringValue)
        #expect(answer.json?["response_code"] == "22000" && answer.json?["device_id"] == .string(Self.device))
        #expect(answer.json?["signature"] == nil)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(!relay.program.text.contains(token))
    }

    @Test func whatIsWrongIsNamedBeforeFORTIsAsked() async throws {
        let relay = try await RunningRelay()
        let body: JSON = ["language": "fr", "device": "x"]
        let unknown = try await relay.post("/v1/sdk-tokens", body.encoded())
        #expect(unknown.status == 400 && unknown.faultyFields == ["device"])
        let faulty = try await relay.post("/v1/sdk-tokens", JSON.object(["language": "fr"]).encoded())
        #expect(faulty.status == 400 && Set(faulty.faultyFields) == ["device_id", "language"])
        let account = try await relay.post(
            "/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device), "account": "egypt"]).encoded())
        #expect(account.status == 400 && account.faultyFields == ["account"])
    }

    @Test func fortsRefusalIsTold() async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_ACCESS_CODE": "nobody"])
        let answer = try await relay.post("/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device)]).encoded())
        #expect(answer.status == 502)
        #expect(answer.problem == "processor-refused" || answer.problem == "processor-unproven")
        #expect(answer.json?["detail"]?.stringValue?.isEmpty == false)
    }

    @Test func whereFORTCannotBeReachedTheSameRequestMayBeTriedAgain() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(FreePort.next())/FortAPI/paymentApi"
        ])
        let answer = try await relay.post("/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device)]).encoded())
        #expect(answer.status == 503 && answer.problem == "processor-unreachable")
        #expect(answer.header("Retry-After") != nil)
    }
}
