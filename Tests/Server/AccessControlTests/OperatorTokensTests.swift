import Foundation
import PayrelayPrimitives
import Testing

@testable import AccessControl

/// Operators whom a proxy has signed in.
@Suite struct OperatorTokensTests {
    private static let claims: JSONObject = [
        "iss": "https://login.example.com", "aud": "payrelay-console", "exp": JSON(Issuer.soon),
        "email": "sara@example.com", "groups": ["helpdesk", "payments", "other"],
    ]
    private let issuer = Issuer()

    private func tokens() throws -> OperatorTokens {
        OperatorTokens(
            header: "X-Token",
            verifier: try issuer.verifier(
                JWTPolicy(audience: "payrelay-console", issuer: "https://login.example.com")),
            nameClaim: "email", roleClaim: "groups", roles: ["helpdesk": .support, "payments": .finance])
    }

    private func fault(of claims: JSONObject) async throws -> JWTError? {
        let (token, tokens) = (try issuer.es256(claims), try tokens())
        do throws(JWTError) {
            _ = try await tokens.signedIn(by: token)
            return nil
        } catch {
            return error
        }
    }

    @Test("A token names the operator, who has the highest role of the groups", arguments: ["", "Bearer "])
    func aTokenNamesTheOperator(prefix: String) async throws {
        let (sara, until) = try await tokens().signedIn(by: prefix + issuer.es256(Self.claims))
        #expect(sara.name == "sara@example.com" && sara.role == .finance && sara.needsToken)
        #expect(until == Double(Issuer.soon))
        for verified in [.bool(true), "true"] as [JSON] {
            #expect(try await fault(of: Self.claims.with(["email_verified": verified])) == nil)
        }
        let (helper, _) = try await tokens().signedIn(by: issuer.es256(Self.claims.with(["groups": "helpdesk"])))
        #expect(helper.role == .support)
    }

    @Test(
        "A token of another service or an untrusted issuer, or without end, name or role, signs no operator in",
        arguments: [
            ("aud", "payrelay"), ("iss", "https://other.example.com"), ("exp", nil), ("exp", 1_000), ("email", nil),
            ("email", ""), ("email", "sara @example.com"), ("email", "sara\n"), ("email", JSON(1)),
            ("email", .string(String(repeating: "a", count: 65))), ("email_verified", .bool(false)),
            ("email_verified", "false"), ("email_verified", "no"), ("email_verified", JSON(0)),
            ("groups", nil), ("groups", []), ("groups", ["others"]), ("groups", ["finance"]),
            ("groups", [["payments"]]),
            ("groups", ["payments": true]),
        ] as [(String, JSON?)])
    func nobodyElseIsSignedIn(claim: String, value: JSON?) async throws {
        #expect(try await fault(of: Self.claims.with([claim: value])) != nil)
    }

    @Test("A token that the provider did not sign logs no operator in")
    func forgedTokens() async throws {
        let tokens = try tokens()
        let none = Issuer.token(["alg": "none", "kid": "ec"], Self.claims) { _ in Data() }
        for forged in [
            "", "Bearer ", "x.y.z", none, try Issuer().es256(Self.claims), try issuer.es256(Self.claims) + "A",
        ] {
            await #expect(throws: JWTError.self) { try await tokens.signedIn(by: forged) }
        }
    }
}
