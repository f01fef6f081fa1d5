import ApplePaySession
import ApplePayToken
import Foundation
import HTTPListener
import HTTPTypes
import Hummingbird
import Logging
import Observability
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import Synchronization
import Testing
import TokenMint

@testable import RelayServer

@Suite struct ProblemTests {
    private static let every: [Problem] = [
        .notJSON("x"), .invalidFields([ValidationError(field: "f", detail: "d")]), .notFound, .noSuchPayment,
        .methodNotAllowed(["GET"]), .bodyTooLarge(limit: 1), .incompleteBody, .notJSONMediaType, .unexpected,
        .simulatorToken("x"), .tokenRefused(check: "c", detail: "d"), .referenceTaken(differing: nil),
        .idempotencyKeyTaken, .inFlight,
        .tokenTaken, .notSent("x"), .journalUnavailable("x"), .verificationOff,
    ]

    /// Error texts of the network contain hosts, ports and a library's words.
    @Test(
        "A phone gets no text of the gateway's network, Apple's host or the journal",
        arguments: [
            .notSent("10.0.0.1:8443 refused"), .journalUnavailable("10.0.0.1:5432 is silent"),
            Problem(SessionFailure.notSent(reason: "10.0.0.1 refused")),
            Problem(SessionFailure.unknown(reason: "10.0.0.1 is silent")),
            Problem(SessionFailure.refused(status: 417, message: "10.0.0.1 is not registered")),
        ])
    func hidesWhatTheNetworkSaid(problem: Problem) {
        #expect(problem.detail.contains("10.0.0.1"))
        let shown = problem.forPhones
        #expect(shown.kind == problem.kind && shown.retryAfterSeconds == problem.retryAfterSeconds)
        #expect(!shown.detail.contains("10.0.0.1") && !shown.detail.isEmpty)
    }

    /// The members are those of RFC 9457, 3.1.
    @Test(arguments: every) func hasTheMembersOfRFC9457(problem: Problem) throws {
        #expect(problem.json["type"] == .string("urn:payrelay:problem:\(problem.kind)"))
        #expect(problem.json["title"]?.stringValue?.isEmpty == false)
        #expect(problem.json["detail"]?.stringValue?.isEmpty == false)
        #expect(problem.json["status"] == JSON(problem.status.code))
        let response = problem.answer
        #expect(response.head.status == problem.status)
        #expect(response.head.headerFields[.contentType] == "application/problem+json")
        #expect(response.head.headerFields[.contentLength] == String(problem.json.encoded().count))
    }

    @Test func givesEveryKindItsType() {
        #expect(Set(Self.every.map(\.kind)).count == Self.every.count)
    }

    @Test func listsEveryWrongField() {
        let problem = Problem.invalidFields([
            ValidationError(field: "amount", detail: "is missing"),
            ValidationError(field: "token.x", detail: "is not base64"),
        ])
        #expect(
            problem.json["errors"] == [
                ["field": "amount", "detail": "is missing"], ["field": "token.x", "detail": "is not base64"],
            ])
        #expect(problem.json["detail"] == "See errors for each of: amount, token.x.")
        #expect(Problem.notFound.json["errors"] == nil)
    }

    @Test func listsTheFirstHundredWrongFields() {
        let problem = Problem.invalidFields((1...25_000).map { ValidationError(field: "f\($0)", detail: "is unknown") })
        #expect(problem.json["errors"]?.arrayValue?.count == 100)
        #expect(problem.json["detail"]?.stringValue?.hasSuffix("f99, f100. There are 24900 more.") == true)
    }

    @Test func namesTheAllowedMethods() {
        #expect(Problem.methodNotAllowed(["GET", "HEAD"]).answer.head.headerFields[.allow] == "GET, HEAD")
    }

    static let refusals: [(PaymentRefusal, status: Int, slug: String, mayBeTriedAgain: Bool)] = [
        (.inFlight, 409, "in-flight", true),
        (.referenceTaken(differing: ["amount"]), 422, "reference-taken", false),
        (.tokenTaken, 409, "token-used", false),
        (.idempotencyKeyTaken, 422, "idempotency-key-taken", false),
        (.notSent(reason: "FORT is away"), 503, "processor-unreachable", true),
        (.accountUnverified(reason: "the phrase is wrong"), 503, "account-unverified", true),
        (.journalUnavailable(reason: "the disk is full"), 503, "journal-unavailable", true),
    ]

    @Test(arguments: refusals) func mapsEveryRefusalToItsStatus(
        refusal: PaymentRefusal, status: Int, slug: String, mayBeTriedAgain: Bool
    ) {
        let problem = Problem(refusal)
        #expect(problem.status.code == status)
        #expect(problem.kind.rawValue == slug)
        #expect((problem.answer.head.headerFields[.retryAfter] != nil) == mayBeTriedAgain)
    }

    @Test(
        "A 503 speaks of its own request: an earlier one for the payment may have charged it",
        arguments: [Problem.notSent("x"), .accountUnverified("x"), .journalUnavailable("x")])
    func promisesForItsOwnRequest(problem: Problem) {
        let promise = "This request charged nothing. Retry the same request."
        #expect(problem.detail == "x. \(promise)" && problem.forPhones.detail == promise)
    }

    @Test("S14: too many searches, settlements or queries at once get 503 and Retry-After")
    func answersWhatIsTooMuchForTheJournalAsTooBusy() {
        let problem = Problem(
            JournalError.overloaded(reason: "too many wait"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(problem.status.code == 503 && problem.kind == .tooBusy)
        #expect(problem.answer.head.headerFields[.retryAfter] == "1")
    }

    @Test("A read while the journal is down is 503 and Retry-After, and is logged as that and not as a bug")
    func answersAReadWithoutAJournal() throws {
        let lines = Mutex<[[UInt8]]>([])
        let handler = LineLogHandler(label: "test", level: .trace) { line in lines.withLock { $0.append(line) } }
        let problem = Problem(
            JournalError.unavailable(reason: "10.0.0.1:5432 is silent"), logger: Logger(label: "test") { _ in handler })
        #expect(problem.kind == .journalUnavailable && problem.status.code == 503)
        #expect(problem.answer.head.headerFields[.retryAfter] == "1")
        #expect(problem.detail.hasPrefix("the journal could not be read or written. "))
        #expect(!problem.detail.contains("10.0.0.1"))
        let logged = try lines.withLock { $0 }.map { try JSON(parsing: $0) }
        #expect(logged.compactMap { $0["message"]?.stringValue } == ["journal not read"])
        #expect(logged.first?["error"]?.stringValue?.contains("10.0.0.1") == true)
    }

    @Test func namesTheFailedCheck() throws {
        let token = try PaymentToken(
            json: TokenMint().mint(TokenContents(amount: 1, currency: "AED"), signedAt: Date()))
        // The sandbox's root is not Apple's.
        let problem = Problem(.tokenRefused(TokenVerifier().verify(token, at: .signingTime)))
        #expect(problem.status.code == 422)
        #expect(problem.json["check"] == "chain")
        #expect(problem.detail.hasPrefix("chain: "))
    }
}
