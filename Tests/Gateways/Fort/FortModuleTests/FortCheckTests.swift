import GatewayModule
import OutboundHTTP
import PayrelayPrimitives
import Testing

@testable import FortAPI
@testable import FortModule

/// The state of an account, as FORT's answer to a query about an order that does not exist shows it.
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

    /// Returns FORT's answer with a code, signed by the given account.
    private static func answer(
        _ code: String, by signer: FortAccounts.Entry? = account, dropping name: String? = nil
    ) -> KeptAnswer.Send {
        { request in
            var parameters = (try? JSON(parsing: request.body))?.objectValue ?? [:]
            parameters["signature"] = nil
            parameters["response_code"] = .string(code)
            parameters["status"] = .string(String(code.prefix(2)))
            parameters["response_message"] = "as told"
            if let name { parameters[name] = nil }
            if let signer {
                let signature = FortSignature(
                    of: parameters, phrase: signer.account.responsePhrase, type: signer.account.signatureType)
                parameters["signature"] = .string(signature.hexadecimal)
            }
            return .answered((200, JSON.object(parameters).encoded(), nil))
        }
    }

    private func diagnostics(_ send: @escaping KeptAnswer.Send) async -> [Diagnostic] {
        await FortCheck(endpoint: .fortTest, timeout: .seconds(1), send: send).diagnostics(for: Self.account)
    }

    @Test("A verified answer that there is no such order proves the account")
    func noSuchOrder() async {
        let diagnostics = await diagnostics(Self.answer("12036"))
        #expect(diagnostics.map(\.verdict) == [.pass, .pass])
        #expect(diagnostics.map(\.check) == ["fort-endpoint", "fort-account:shop"])
    }

    @Test(
        "A verified refusal names the missing setting of the account",
        arguments: [
            ("00008", "SHA request phrase"), ("00009", "merchant identifier"), ("00010", "access code"),
            ("00040", "outgoing address"),
        ])
    func refusals(_ code: String, _ word: String) async throws {
        for signer in [Self.account, nil] {
            let diagnostic = try #require(await diagnostics(Self.answer(code, by: signer)).last)
            #expect(diagnostic.verdict == .fail)
            #expect(diagnostic.detail.contains(code))
            #expect(diagnostic.advice?.contains(word) == true, "\(diagnostic)")
        }
    }

    @Test("An answer signed in another way names the mistake")
    func otherSignatures() async throws {
        let requestPhrase = try #require(
            await diagnostics(Self.answer("12036", by: Self.account(response: "REQUESTPHRASE"))).last)
        #expect(requestPhrase.verdict == .fail)
        #expect(requestPhrase.advice?.lowercased().contains("phrase") == true)
        let otherType = try #require(await diagnostics(Self.answer("12036", by: Self.account(type: .sha256))).last)
        #expect(otherType.verdict == .fail)
        #expect(otherType.advice?.contains("SHA") == true || otherType.advice?.contains("HMAC") == true, "\(otherType)")
        let unknown = try #require(
            await diagnostics(Self.answer("12036", by: Self.account(response: "SOMEOTHER"))).last)
        #expect(unknown.verdict == .fail)
        #expect(unknown.advice?.contains("SHA response phrase") == true)
    }

    @Test("An answer that is not FORT's proves nothing, whatever it says")
    func foreign() async throws {
        let page = await diagnostics { _ in .answered((200, Array("<html>Welcome</html>".utf8), nil)) }
        #expect(page.last?.verdict == .fail)
        let gateway = await diagnostics { _ in .answered((502, Array("Bad Gateway".utf8), nil)) }
        #expect(gateway.map(\.verdict) == [.fail])
        let other = await diagnostics(Self.answer("12036", dropping: "merchant_reference"))
        #expect(other.last?.verdict == .fail)
    }

    @Test("An unreachable FORT is distinguished from a FORT that does not answer")
    func unreached() async {
        let refused = await diagnostics { _ in .notSent(reason: "connection refused") }
        let silent = await diagnostics { _ in .unknown(reason: "timed out") }
        #expect(refused.map(\.verdict) == [.fail] && silent.map(\.verdict) == [.fail])
        #expect(refused.first?.advice != silent.first?.advice)
    }

    @Test("No diagnostic holds a phrase")
    func keepsSecrets() async {
        for send in [
            Self.answer("00008"), Self.answer("12036", by: Self.account(response: "REQUESTPHRASE")),
            Self.answer("12036", by: nil),
        ] {
            for diagnostic in await diagnostics(send) {
                #expect(!"\(diagnostic)".contains("REQUESTPHRASE") && !"\(diagnostic)".contains("RESPONSEPHRASE"))
            }
        }
    }
}
