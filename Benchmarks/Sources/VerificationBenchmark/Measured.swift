import ApplePayToken
import CVerification
import Foundation
import PayrelayPrimitives
import TokenMint

/// One minted token, with the shape and key sizes of Apple's tokens, and the verifiers under measurement.
struct Measured {
    static let signingTime = Date(timeIntervalSince1970: 1_800_000_000)

    /// The order's fields, by FORT's names.
    let fields = [
        "merchant_reference": "ORDER-20271501-000001", "command": "PURCHASE", "amount": "10000", "currency": "AED",
        "customer_email": "customer@example.com", "customer_ip": "192.0.2.17", "order_description": "A book and a pen",
    ]
    /// The body of `POST /v1/payments`.
    let body: [UInt8]
    let json: JSON
    let token: PaymentToken
    let content: [UInt8]
    let anchor: TrustAnchor
    let reference: OpaquePointer
    let floor: OpaquePointer

    init() throws {
        json = try TokenMint().mint(TokenContents(amount: 10000, currency: "AED"), signedAt: Self.signingTime)
        var payment = JSONObject(fields.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        payment["token"] = json
        body = JSON.object(payment).encoded()
        token = try PaymentToken(json: json)
        content = token.signedContent
        anchor = try SandboxPKI.published.anchor()
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../certs/sandbox/root-ca.pem").standardizedFileURL
        let pem = try String(contentsOf: root, encoding: .utf8)
        guard let reference = reference_prepare(pem, Int64(Self.signingTime.timeIntervalSince1970)),
            let floor = floor_prepare()
        else { throw CocoaError(.fileReadCorruptFile) }
        self.reference = reference
        self.floor = floor
    }
}
