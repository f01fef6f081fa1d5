@testable import FortAPI
import OutboundHTTP
import PayrelayPrimitives
import Testing

@testable import Doctor

/// What FORT's answer to the status of an order that does not exist says of the account.
@Suite struct FortCheckTests {
    private static let account = account()

    private static func account(
        request: String = "REQUESTPHRASE", response: String = "RESPONSEPHRASE", type: FortSignatureType = .hmacSHA256
    ) -> FortAccounts.Entry {
        do {
            return .init(
                name: "shop",
                account: try FortAccount(
                    accessCode: "accesscode", merchantIdentifier: "merchant", signatureType: type,
                    requestPhrase: Secret(request), responsePhrase: Secret(response)))
        } catch {
            fatalError("the account of the test is none: \(error)")
        }
    }

    /// FORT's answer with a code, signed by an account of its own.
    private static func answer(
        _ code: String, by signer: FortAccounts.Entry? = account, dropping name: String? = nil
    ) -> KeptAnswer.Send {
        { (request) throws(OutboundFailure) in
            var parameters = (try? JSON(parsing: request.body))?.objectValue ?? [:]
            parameters["signature"] = nil
            parameters["response_code"] = .string(code)
            parameters["status"] = .string(String(code.prefix(2)))
            parameters["response_message"] = "as told"
            if let name { parameters[name] = nil }
            if let signer {
                let signature = signer.account.responseSigner.signature(of: parameters)
                parameters["signature"] = .string(signature.hexadecimal)
            }
            return (200, JSON.object(parameters).encoded(), nil)
        }
    }

    private func findings(_ send: @escaping KeptAnswer.Send) async -> [Finding] {
        await FortCheck(endpoint: .test, timeout: .seconds(1), send: send).findings(for: Self.account)
    }

    @Test("A verified answer that there is no such order proves the account")
    func noSuchOrder() async {
        let findings = await findings(Self.answer("12036"))
        #expect(findings.map(\.verdict) == [.pass, .pass])
        #expect(findings.map(\.check) == ["fort-endpoint", "fort-account:shop"])
    }

    @Test(
        "A verified refusal names what the account lacks",
        arguments: [
            ("00008", "SHA request phrase"), ("00009", "merchant identifier"), ("00010", "access code"),
            ("00040", "outgoing address"),
        ])
    func refusals(_ code: String, _ word: String) async throws {
        for signer in [Self.account, nil] {
            let finding = try #require(await findings(Self.answer(code, by: signer)).last)
            #expect(finding.verdict == .fail)
            #expect(finding.detail.contains(code))
            #expect(finding.advice?.contains(word) == true, "\(finding)")
        }
    }

    @Test("An answer signed in another way names the mistake")
    func otherSignatures() async throws {
        let requestPhrase = try #require(
            await findings(Self.answer("12036", by: Self.account(response: "REQUESTPHRASE"))).last)
        #expect(requestPhrase.verdict == .fail)
        #expect(requestPhrase.advice?.lowercased().contains("phrase") == true)
        let otherType = try #require(await findings(Self.answer("12036", by: Self.account(type: .sha256))).last)
        #expect(otherType.verdict == .fail)
        #expect(otherType.advice?.contains("SHA") == true || otherType.advice?.contains("HMAC") == true, "\(otherType)")
        let unknown = try #require(await findings(Self.answer("12036", by: Self.account(response: "SOMEOTHER"))).last)
        #expect(unknown.verdict == .fail)
        #expect(unknown.advice?.contains("SHA response phrase") == true)
    }

    @Test("What is not FORT's answer is no proof, whatever it says")
    func foreign() async throws {
        let page = await findings { _ in (200, Array("<html>Welcome</html>".utf8), nil) }
        #expect(page.last?.verdict == .fail)
        let gateway = await findings { _ in (502, Array("Bad Gateway".utf8), nil) }
        #expect(gateway.map(\.verdict) == [.fail])
        let other = await findings(Self.answer("12036", dropping: "merchant_reference"))
        #expect(other.last?.verdict == .fail)
    }

    @Test("A FORT that cannot be reached is told from one that does not answer")
    func unreached() async {
        let refused = await findings { (_) throws(OutboundFailure) in throw .notSent(reason: "connection refused") }
        let silent = await findings { (_) throws(OutboundFailure) in throw .noAnswer(reason: "timed out") }
        #expect(refused.map(\.verdict) == [.fail] && silent.map(\.verdict) == [.fail])
        #expect(refused.first?.advice != silent.first?.advice)
    }

    @Test("No finding holds a phrase")
    func keepsSecrets() async {
        for send in [
            Self.answer("00008"), Self.answer("12036", by: Self.account(response: "REQUESTPHRASE")),
            Self.answer("12036", by: nil),
        ] {
            for finding in await findings(send) {
                #expect(!"\(finding)".contains("REQUESTPHRASE") && !"\(finding)".contains("RESPONSEPHRASE"))
            }
        }
    }
}
