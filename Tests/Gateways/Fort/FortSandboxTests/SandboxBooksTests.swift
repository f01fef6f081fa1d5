import FortAPI
import Foundation
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import FortSandbox

@Suite struct SandboxBooksTests {
    @Test func ordersStandInTheOrderTheyCame() async throws {
        let books = SandboxBooks(limit: 1_000)
        let references = (0..<120).map { "ORDER-\($0)" }.shuffled()
        for reference in references { _ = try await books.enter(reference) }
        let orders = await books.orders(in: books.numbers)
        #expect(orders.map(\.merchantReference) == references)
        #expect(Set(orders.map(\.fortID)).count == references.count)
    }

    @Test func aReferenceIsEnteredOnce() async throws {
        let books = SandboxBooks(limit: 3)
        #expect(try await books.enter("A") != nil)
        #expect(try await books.enter("A") == nil)
        #expect(await books.numbers == 0..<1)
        #expect(await books.order("A")?.chargeRequests == 2)
    }

    @Test func fullBooksForgetTheOldest() async throws {
        let books = SandboxBooks(limit: 3)
        for reference in ["A", "B", "C", "D", "E"] { _ = try await books.enter(reference) }
        #expect(await books.orders(in: 0..<100).map(\.merchantReference) == ["C", "D", "E"])
        #expect(await books.order("B") == nil)
        #expect(await books.order("C")?.number == 2)
        #expect(try await books.enter("A")?.number == 5)
        #expect(await books.order("A")?.number == 5)
        #expect(await books.orders(in: 0..<100).map(\.merchantReference) == ["D", "E", "A"])
    }

    @Test func whateverHappensReferencesAndOrdersAgree() async throws {
        let books = SandboxBooks(limit: 7)
        var remembered: [String] = []
        for _ in 0..<500 {
            let reference = "ORDER-\(Int.random(in: 0..<12))"
            let isNew = try await books.enter(reference) != nil
            #expect(isNew == !remembered.contains(reference))
            if isNew { remembered = (remembered + [reference]).suffix(7) }
            #expect(await books.orders(in: books.numbers).map(\.merchantReference) == remembered)
            for known in remembered { #expect(await books.order(known)?.merchantReference == known) }
        }
    }

    @Test func aForgottenOrderIsNotFoundAndItsReferenceIsFree() async throws {
        let bench = try SandboxBench(orderLimit: 2)
        for reference in ["A", "B", "C"] { _ = try await bench.send(bench.payment(reference)) }
        #expect(try await bench.send(bench.query("A"))["response_code"] == "12036")
        #expect(try await bench.send(bench.payment("A"))["response_code"] == "14000")
    }

    @Test func theObserverGetsTheRequestAsItArrivedAndTheReply() async throws {
        let bench = try SandboxBench()
        let payment = try bench.payment("A")
        let (exchanges, observed) = AsyncStream.makeStream(of: SandboxExchange.self)
        let sandbox = FortSandbox(accounts: bench.sandbox.accounts, observe: { observed.yield($0) })
        let reply = await sandbox.reply(to: payment.body)
        observed.finish()
        let seen = await exchanges.reduce(into: []) { $0.append($1) }
        #expect(seen.map(\.request) == [payment.body] && seen.map(\.reply) == [reply])
    }
}

extension SandboxBooks {
    private static let bench = Result { try SandboxBench() }
    private static let payment = Result { try bench.get().payment("A").parameters }

    /// Enters a purchase with this reference.
    func enter(_ reference: String) throws -> SandboxOrder? {
        var parameters = try Self.payment.get()
        parameters["merchant_reference"] = .string(reference)
        var header = parameters["apple_header"]?.objectValue
        header?["apple_transactionId"] = .string(UUID().uuidString)
        parameters["apple_header"] = header.map { .object($0) }
        let charge = try SandboxCharge(parameters, command: .purchase, for: Self.bench.get().account)
        return try? enter(charge, at: Date()).first
    }
}
