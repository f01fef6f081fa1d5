import ApplePayToken
import FortAPI
import FortModule
import Foundation
import Measuring
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives

/// One request to FORT and FORT's answer, which are repeated to measure the steps that follow the journal.
@MainActor final class Exchange {
    let gateway: FortGateway
    let anchor: TrustAnchor
    let fields: [String: String]
    private let order: Order
    private let message: FortMessage
    private let answer: [UInt8]
    private let account: FortAccount
    private let responder: Nginx
    private let client = OutboundClient()

    init(_ program: String, _ purchases: Purchases) async throws {
        account = try SandboxAccount.fortAccount()
        anchor = try SandboxAccount.trustAnchor()
        let sandbox = try Sandbox(program)
        let endpoint = try GatewayEndpoint("http://127.0.0.1:\(sandbox.port)/FortAPI/paymentApi")
        let clients = FortClients(accounts: FortAccounts(account), endpoint: endpoint, transport: client)
        gateway = FortGateway(clients: clients, timeout: .seconds(30))
        let read = try Steps.read(purchases.forRelay[0], for: gateway)
        fields = read.fields
        order = read.charge.order
        message = try Purchases.message(fields, read.token)
        answer = try await client.send(
            .json(message.body, to: endpoint, timeout: .seconds(30))
        ).get().body
        responder = try Nginx(.answer(String(decoding: answer, as: UTF8.self)))
    }

    deinit { client.shutdown() }

    /// - Returns: Whether the answer is FORT's and says that the payment was captured.
    func readAnswer() -> Bool {
        guard let verified = try? FortAnswer(verifying: answer, of: account, to: message) else { return false }
        let meaning = GatewayAnswer(
            meaning: .captured, response: verified.parameters, fields: FortModule.answerFields)
        let receipt = Receipt(of: payment, state: .captured, answer: meaning, reason: nil)
        return verified.responseCode == FortCode("14000") && !JSON.object(receipt.json).encoded().isEmpty
    }

    /// Sends `count` requests, with as many under way at once as there are callers in the other measurements.
    func send(_ count: Int) async throws {
        let client = client
        let endpoint = try GatewayEndpoint("http://127.0.0.1:\(responder.port)/FortAPI/paymentApi")
        let request = OutboundRequest.json(message.body, to: endpoint, timeout: .seconds(30))
        try await withThrowingTaskGroup { group in
            for _ in 0..<Saturation.connections {
                group.addTask {
                    for _ in 0..<count / Saturation.connections {
                        guard try await client.send(request).get().status == 200
                        else {
                            throw Steps.Untrue()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private var payment: Payment {
        Payment(
            merchantReference: order.merchantReference, command: order.command, amount: order.amount,
            currency: order.currency, fingerprint: RequestFingerprint(bytes: [0]), appleTransactionIdentifier: "ab",
            claimedAt: Date(), gateway: FortModule.name, lease: Lease(number: 0, expiresAt: Date()))
    }
}
