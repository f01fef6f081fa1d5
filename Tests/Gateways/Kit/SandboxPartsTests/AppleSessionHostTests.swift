import Foundation
import PayrelayPrimitives
import Testing
import TokenMint

@testable import SandboxParts

@Suite struct AppleSessionHostTests {
    private let host = AppleSessionHost(pki: .published)
    private let request: JSONObject = [
        "merchantIdentifier": "merchant.a", "displayName": "Shop", "initiative": "web",
        "initiativeContext": "shop.example",
    ]

    private func session(_ request: JSONObject, from client: String? = "merchant.a") throws -> JSON {
        try host.session(
            for: JSON.object(request).encoded(), from: client, at: Date(timeIntervalSince1970: 1_800_000_000))
    }

    private func refusal(_ request: JSONObject, from client: String? = "merchant.a") -> AppleSessionHost.Failure? {
        #expect(throws: AppleSessionHost.Failure.self) { try session(request, from: client) }
    }

    /// The members of published samples.
    @Test func aSessionHasApplesShape() throws {
        let session = try session(request)
        #expect(
            session.objectValue?.names == [
                "epochTimestamp", "expiresAt", "merchantSessionIdentifier", "nonce", "merchantIdentifier", "domainName",
                "displayName", "signature", "operationalAnalyticsIdentifier", "retries", "pspId",
            ])
        #expect(session["epochTimestamp"] == 1_800_000_000_000)
        #expect(session["expiresAt"] == 1_800_003_600_000)
        #expect(session["domainName"] == "shop.example")
        // The expected value is the output of `printf merchant.a | sha256sum`.
        #expect(
            session["merchantIdentifier"] == "E428CDF095E257FD0CCCFA2AF0202F8B08F03CCC7D907BA15B32CF585F3EF655")
        #expect(session["signature"]?.stringValue?.hasPrefix("308006092a864886f70d010702a080308002010131") == true)
        #expect(try self.session(request)["merchantSessionIdentifier"] != session["merchantSessionIdentifier"])
    }

    @Test func aMerchantWithoutTheCertificateIsNamed() {
        for client in ["merchant.b", nil] {
            let refusal = refusal(request, from: client)
            #expect(refusal?.status == 417)
            #expect(refusal?.message.contains("merchantId=merchant.a") == true)
        }
    }

    @Test func missingAndWrongMembersAreNamed() {
        for name in ["displayName", "initiative", "initiativeContext"] {
            var request = request
            request[name] = nil
            #expect(refusal(request)?.status == 400)
            #expect(refusal(request)?.message.contains(name) == true)
        }
        var request = request
        request["merchantIdentifier"] = nil
        #expect(refusal(request) == .init(status: 400, message: "missing merchant identifier"))
        for (name, value) in [
            ("displayName", String(repeating: "x", count: 65)), ("initiative", "messaging"),
            ("initiativeContext", "https://shop.example"), ("initiativeContext", "shop"),
        ] {
            var request = self.request
            request[name] = .string(value)
            #expect(refusal(request)?.message.contains(name) == true)
        }
    }

    @Test func aBodyThatIsNotAnObjectIsRefused() {
        let refusal = #expect(throws: AppleSessionHost.Failure.self) {
            try host.session(for: Array("[]".utf8), from: "merchant.a", at: Date())
        }
        #expect(refusal?.status == 400)
    }
}
