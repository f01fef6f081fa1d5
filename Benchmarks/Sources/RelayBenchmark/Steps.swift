import ApplePayToken
import CLoad
import FortAPI
import FortModule
import Foundation
import Measuring
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import TestPrograms

/// The CPU time of each step of a payment, measured one by one in this process, as the relay takes the steps.
///
/// The difference to the CPU time of a relay is the cost of everything else: its sockets and the kernel's work on them, HTTP,
/// tasks, logs and metrics.
@MainActor struct Steps {
    /// The CPU time of each step, in seconds per payment.
    private(set) var taken: [(name: String, seconds: Double)] = []

    init(_ program: String, _ purchases: Purchases) async throws {
        progress("steps")
        let exchange = try await Exchange(program, purchases)
        let count = purchases.count
        let gateway = exchange.gateway
        let tokens = try purchases.forRelay.map { try Self.read($0, for: gateway).token }
        let verifier = TokenVerifier(anchor: exchange.anchor)
        guard verifier.verify(tokens[0], at: .signingTime).isValid else { throw Untrue() }

        measure("decode: JSON, token, order, fingerprint", count) {
            guard (try? Self.read(purchases.forRelay[$0], for: gateway)) != nil else { return false }
            return true
        }
        measure("verify the token, its chain known", count) { verifier.verify(tokens[$0], at: .signingTime).isValid }
        measure("sign: FORT's request, its signature, its bytes", count) {
            (try? Purchases.message(exchange.fields, tokens[$0]).body.isEmpty) == false
        }
        measure("answer: FORT's, verified, and the receipt", count) { _ in exchange.readAnswer() }

        let folder = try TemporaryFolder()
        var journaled = JournaledPayments("STEP", in: try SQLJournal(path: folder.path("journal.sqlite")))
        try await journaled.add(count / 10, atOnce: Saturation.connections)
        let beforeJournal = process_nanoseconds()
        try await journaled.add(count, atOnce: Saturation.connections)
        note("journal: claim and settle in shared commits", since: beforeJournal, count)

        try await exchange.send(count / 10)
        let beforeSend = process_nanoseconds()
        try await exchange.send(count)
        note("send: libcurl and the kernel, to a FORT that only answers", since: beforeSend, count)
    }

    /// Reads a body of `POST /v1/payments` as the relay does.
    nonisolated static func read(
        _ body: [UInt8], for gateway: FortGateway
    ) throws -> (fields: [String: String], token: PaymentToken, charge: any PreparedCharge) {
        guard let members = try JSON(parsing: body).objectValue, let token = members["token"] else { throw Untrue() }
        var fields: [String: String] = [:]
        for member in members.members {
            switch member.value {
            case .string(let text), .number(let text): fields[member.name] = text
            default: continue
            }
        }
        let payment = try PaymentToken(json: token)
        let charge = try gateway.prepare(fields, account: "default", with: payment)
        guard RequestFingerprint(fields: fields, token: payment.digest).bytes.count == 32 else {
            throw Untrue()
        }
        return (fields, payment, charge)
    }

    /// - Parameter body: Returns whether the step's result is right. A step that fails measures nothing.
    private mutating func measure(_ name: String, _ count: Int, _ body: (Int) -> Bool) {
        for number in 0..<count / 10 where !body(number) { fatalError("\(name) fails") }
        let start = process_nanoseconds()
        for number in 0..<count where !body(number) { fatalError("\(name) fails") }
        note(name, since: start, count)
    }

    private mutating func note(_ name: String, since start: UInt64, _ count: Int) {
        taken.append((name, Double(process_nanoseconds() - start) / 1e9 / Double(count)))
    }

    /// The result of a step is wrong.
    struct Untrue: Error {}

    /// - Parameter whole: The relay's CPU time per payment, in seconds.
    func rows(of whole: Double) -> [Row] {
        let rest = whole - taken.map(\.seconds).reduce(0, +)
        return (taken + [("the rest: HTTP, sockets, kernel, tasks, log, metrics", rest)]).map { name, seconds in
            Row("step, \(name)", seconds.microseconds, beside: whole.microseconds, ratio: seconds / whole)
        }
    }
}
