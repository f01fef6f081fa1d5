import Crypto
import Foundation
import PayrelayPrimitives
import Synchronization
import TestPrograms

/// A merchant's backend that issues JWTs, and publishes the keys that verify them.
final class TokenIssuer: Sendable {
    private let name: String
    private let key = P256.Signing.PrivateKey()

    init(_ name: String = "k1") {
        self.name = name
    }

    /// The public key as a JWK.
    var jwk: JSON {
        let point = key.publicKey.rawRepresentation
        return [
            "kty": "EC", "crv": "P-256", "kid": .string(name), "x": .string(Self.base64URL(point.prefix(32))),
            "y": .string(Self.base64URL(point.suffix(32))),
        ]
    }

    var publicKey: String { key.publicKey.pemRepresentation }

    /// Writes a JWK Set to a file.
    func file(in folder: TemporaryFolder) throws -> String {
        try folder.file("keys.json", Self.text([self]))
    }

    /// Returns a JWK Set as text.
    static func text(_ issuers: [TokenIssuer]) -> String { String(decoding: set(issuers).encoded(), as: UTF8.self) }

    static func set(_ issuers: [TokenIssuer]) -> JSON { ["keys": .array(issuers.map(\.jwk))] }

    /// Returns a token that is valid for fifty minutes.
    ///
    /// - Parameter claims: Claims in addition to `aud`, `exp` and `client_id`, or instead of them.
    func token(_ claims: JSONObject = [:], alg: String = "ES256", client: String = "shop") throws -> String {
        var all: JSONObject = [
            "aud": "payrelay", "exp": JSON(Int(Date().timeIntervalSince1970) + 3_000), "client_id": .string(client),
        ]
        for member in claims.members { all[member.name] = member.value }
        return try token(payload: JSON.object(all).encoded(), alg: alg)
    }

    /// Returns a token with arbitrary bytes in place of its claims.
    func token(payload: [UInt8], alg: String = "ES256") throws -> String {
        let header: JSON = ["alg": .string(alg), "kid": .string(name)]
        let signed = [header.encoded(), payload].map { Self.base64URL(Data($0)) }.joined(separator: ".")
        let signature: Data =
            switch alg {
            case "ES256": try key.signature(for: Data(signed.utf8)).rawRepresentation
            case "HS256":
                Data(
                    HMAC<SHA256>.authenticationCode(
                        for: Data(signed.utf8), using: SymmetricKey(data: Data(publicKey.utf8))))
            default: Data()
            }
        return signed + "." + Self.base64URL(signature)
    }

    /// Returns a token that pays one order, pinned as in `docs/authentication.md`.
    ///
    /// - Parameter claims: Additional or changed claims. A null removes one.
    func orderToken(
        _ reference: String, amount: Int = 10_000, currency: String = "AED", claims: JSONObject = [:]
    ) throws -> String {
        var pins: JSONObject = [
            "merchant_reference": .string(reference), "amount": JSON(amount), "currency": .string(currency),
            "command": "PURCHASE",
        ]
        for claim in claims.members { pins[claim.name] = claim.value == .null ? nil : claim.value }
        return try token(pins)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// A server on loopback with a JWK Set that can change.
final class PublishedKeys: Sendable {
    private let socket: LoopbackSocket
    private let answers: Answers

    /// The server's answer, and the number of requests.
    private final class Answers: Sendable {
        let body: Mutex<String>
        let count = Atomic(0)

        init(_ body: String) { self.body = Mutex(body) }
    }

    /// Serves on separate threads: a relay waits five seconds for an answer, and meanwhile other tests' tasks may use every
    /// other thread.
    init(_ issuers: [TokenIssuer]) throws {
        answers = Answers(TokenIssuer.text(issuers))
        socket = try LoopbackSocket()
        try socket.accept { [answers] _, connection in
            defer { close(connection) }
            guard ReceivedRequest(from: connection) != nil else { return }
            answers.count.add(1, ordering: .relaxed)
            let body = answers.body.withLock { $0 }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
            let bytes = Array((head + body).utf8)
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    var url: String { "http://127.0.0.1:\(socket.port)/keys" }

    var count: Int { answers.count.load(ordering: .relaxed) }

    func publish(_ body: String) { answers.body.withLock { $0 = body } }
}
