import FortAPI
import GatewayTestParts
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import FortSandbox

/// Feedback over HTTP: signed, attempted ten times, and bounded.
@Suite(.timeLimit(.minutes(25)))
struct FeedbackSenderTests {
    @Test(arguments: FortFeedback.Format.allCases)
    func chargesGoToOneURLAndLaterChangesToTheOther(format: FortFeedback.Format) async throws {
        let bench = try SandboxBench()
        let receiver = MessageReceiver { _ in 200 }
        try await receiver.serve { base in
            bench.sandbox.feedback = FeedbackSettings(
                directURL: try GatewayEndpoint("\(base)/direct"),
                notificationURL: try GatewayEndpoint("\(base)/notification"),
                format: format)
            try await RunningSandbox.with(bench.sandbox) { _ in
                _ = try await bench.send(bench.payment("A", .authorization))
                try await receiver.wait(for: 1)
                for amount in ["4000", "99999"] {
                    let capture = try FortRequest(.capture, merchantReference: "A", amount: amount, currency: "AED")
                    _ = try await bench.send(FortMessage(signing: capture, for: bench.account))
                }
                try await receiver.wait(for: 2)
            }
        }
        // The failed capture changed nothing, so there is no message about it.
        #expect(receiver.received.map(\.path) == ["/direct", "/notification"])
        #expect(receiver.received.allSatisfy { $0.contentType == format.contentType })
        let told = try receiver.received.map {
            try FortFeedback(verifying: $0.body, as: format, of: FortAccounts(bench.account))
        }
        #expect(told.map(\.class) == [.success, .success])
        #expect(told.map(\.responseCode.status) == ["02", "04"])
        #expect(told.map { $0["amount"] } == ["10000", "4000"])
    }

    @Test(arguments: [(200, 1), (299, 1), (302, 1), (301, 10), (404, 10), (500, 10)])
    func aMessageIsTriedTenTimesUntilItIsAcknowledged(status: Int, tries: Int) async throws {
        let bench = try SandboxBench(feedbackInterval: .milliseconds(2))
        let receiver = MessageReceiver { _ in status }
        try await receiver.serve { base in
            bench.sandbox.feedback = FeedbackSettings(
                directURL: try GatewayEndpoint("\(base)/feedback"), notificationURL: nil)
            try await RunningSandbox.with(bench.sandbox) { _ in
                _ = try await bench.send(bench.payment("A"))
                while bench.sandbox.sender.counts.underWay > 0 { try await Task.sleep(for: .milliseconds(5)) }
            }
        }
        #expect(receiver.received.count == tries)
        #expect(Set(receiver.received.map(\.body)).count == 1)
        let counts = bench.sandbox.sender.counts
        #expect(counts.delivered == (tries == 1 ? 1 : 0) && counts.givenUp == (tries == 1 ? 0 : 1))
    }

    @Test func eachMessageArrivesTheRequestedNumberOfTimesAndInAnotherOrder() async throws {
        let bench = try SandboxBench()
        let receiver = MessageReceiver { _ in 200 }
        let references = (0..<12).map { "ORDER-\($0)" }
        try await receiver.serve { base in
            bench.sandbox.feedback = FeedbackSettings(
                directURL: try GatewayEndpoint("\(base)/feedback"), notificationURL: nil, format: .json, copies: 3,
                shuffleSeconds: 1, seed: 7)
            try await RunningSandbox.with(bench.sandbox) { _ in
                for reference in references { _ = try await bench.send(bench.payment(reference)) }
                try await receiver.wait(for: 36)
            }
        }
        let told = try receiver.received.map { try JSON(parsing: $0.body)["merchant_reference"]?.stringValue ?? "" }
        #expect(told.sorted() == (references + references + references).sorted())
        #expect(told != references.flatMap { [$0, $0, $0] })
    }

    @Test func withoutCopiesEveryMessageIsLost() async throws {
        let bench = try SandboxBench()
        let receiver = MessageReceiver { _ in 200 }
        try await receiver.serve { base in
            let url = try GatewayEndpoint("\(base)/feedback")
            bench.sandbox.feedback = FeedbackSettings(directURL: url, notificationURL: nil, copies: 0)
            try await RunningSandbox.with(bench.sandbox) { _ in
                _ = try await bench.send(bench.payment("LOST"))
                #expect(bench.sandbox.sender.counts == FeedbackSender.Counts())
                bench.sandbox.feedback = FeedbackSettings(directURL: url, notificationURL: nil, format: .json)
                _ = try await bench.send(bench.payment("TOLD"))
                try await receiver.wait(for: 1)
            }
        }
        #expect(try receiver.received.map { try JSON(parsing: $0.body)["merchant_reference"] } == ["TOLD"])
    }

    @Test func everyCopyIsLateByTheDelayAndByItsShareOfTheShuffle() throws {
        let url = try GatewayEndpoint("http://127.0.0.1:9")
        func pauses(_ delay: Double, _ shuffle: Double) -> [Double] {
            let settings = FeedbackSettings(
                directURL: url, notificationURL: nil, delaySeconds: delay, shuffleSeconds: shuffle)
            return (1...100).map(settings.pace.pause(ofCopy:))
        }
        #expect(pauses(0, 0).allSatisfy { $0 == 0 })
        #expect(pauses(90, 0).allSatisfy { $0 == 90 })
        #expect(pauses(90, 5).allSatisfy { (90...95).contains($0) } && Set(pauses(90, 5)).count > 50)
    }

    @Test func aReceiverThatStartsLateGetsTheMessage() async throws {
        let bench = try SandboxBench(feedbackInterval: .milliseconds(2))
        let receiver = MessageReceiver { number in number < 4 ? 503 : 204 }
        try await receiver.serve { base in
            bench.sandbox.feedback = FeedbackSettings(
                directURL: try GatewayEndpoint("\(base)/feedback"), notificationURL: nil)
            try await RunningSandbox.with(bench.sandbox) { _ in
                _ = try await bench.send(bench.payment("A"))
                while bench.sandbox.sender.counts.delivered == 0 { try await Task.sleep(for: .milliseconds(5)) }
            }
        }
        #expect(receiver.received.count == 4)
    }

    /// No receiver takes the messages, so all of them stay under way until the limit is reached.
    @Test func messagesBeyondAThousandAreDroppedAndCounted() throws {
        let sender = FeedbackSender(interval: .seconds(10))
        sender.settings = FeedbackSettings(directURL: try GatewayEndpoint("http://127.0.0.1:9"), notificationURL: nil)
        for _ in 0..<1_010 { sender.send([FeedbackMessage(kind: .direct, parameters: [:], delay: 0)]) { $0 } }
        var counts = FeedbackSender.Counts()
        (counts.underWay, counts.dropped) = (1_000, 10)
        #expect(sender.counts == counts)
    }

    @Test func aStopDoesNotWaitForTheAttempts() async throws {
        let bench = try SandboxBench()
        bench.sandbox.feedback = FeedbackSettings(
            directURL: try GatewayEndpoint("http://127.0.0.1:9"), notificationURL: nil)
        try await RunningSandbox.with(bench.sandbox) { _ in _ = try await bench.send(bench.payment("A")) }
        #expect(bench.sandbox.sender.counts.givenUp == 0)
    }

    @Test func settingsArePutShownAndTakenAway() async throws {
        let bench = try SandboxBench()
        try await RunningSandbox.with(bench.sandbox) { base in
            let path = "\(base)/_sandbox/feedback"
            let put = try await HTTP.send(
                .put, path, #"{"direct_url": "https://shop.example/fort", "format": "json"}"#)
            #expect(put.status == 200)
            #expect(
                bench.sandbox.feedback
                    == FeedbackSettings(
                        directURL: try GatewayEndpoint("https://shop.example/fort"), notificationURL: nil, format: .json
                    ))
            for body in [
                #"{"direct_url": "http://shop.example/"}"#, #"{"notification_url": 5}"#, #"{"format": "xml"}"#,
                #"{"url": "x"}"#, "[]", #"{"copies": -1}"#, #"{"copies": 11}"#, #"{"delay_seconds": 601}"#,
                #"{"delay_seconds": "1"}"#, #"{"shuffle_seconds": 61}"#,
                #"{"seed": -1}"#,
            ] {
                let refused = try await HTTP.send(.put, path, body)
                #expect(refused.status == 400 && refused.json?["errors"]?.arrayValue?.count == 1, "\(body)")
            }
            let shown = try await HTTP.send(.get, path)
            #expect(shown.json?["direct_url"] == "https://shop.example/fort" && shown.json?["delivered"] == 0)
            #expect(try await HTTP.send(.delete, path).status == 204)
            #expect(bench.sandbox.feedback == nil)
        }
    }
}
