import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

@Suite struct SearchPaymentsTests {
    @Test func findsPaymentsPageByPageAndAsCSV() async throws {
        try await LedgerServer.run { server in
            for number in 0..<5 { try await server.pay("ORDER-\(number)", amount: number == 3 ? 101 : 100) }
            var (found, after, pages) = ([String](), "", 0)
            repeat {
                let page = try await server.get("/v1/payments?limit=2" + after)
                #expect(page.status == 200)
                found += page.references
                after = page.json.objectValue?["next"]?.stringValue.map { "&after=" + $0 } ?? ""
                pages += 1
            } while !after.isEmpty && pages < 9
            #expect(found == ["ORDER-4", "ORDER-3", "ORDER-2", "ORDER-1", "ORDER-0"] && pages == 3)
            #expect(try await server.get("/v1/payments?outcome=declined").references == ["ORDER-3"])
            #expect(
                try await server.get("/v1/payments?merchant_reference_prefix=ORDER-&amount=100").references.count == 4)
            #expect(try await server.get("/v1/payments?merchant_reference_prefix=%25").references == [])

            let csv = try await server.getCSV("/v1/payments?limit=1")
            #expect(csv.status == 200 && csv.header("Content-Type")?.hasPrefix("text/csv") == true)
            let lines = String(decoding: csv.body, as: UTF8.self).split(separator: "\r\n")
            #expect(lines.count == 6 && lines[0].hasPrefix("merchant_reference,claimed_at,command,outcome"))
            #expect(lines[1].hasPrefix("ORDER-4,"))
            #expect(csv.header("Cache-Control") == "no-store")
        }
    }

    @Test(arguments: [
        ("wrong=1", ["wrong"]), ("limit=0&amount=x", ["amount", "limit"]), ("limit=201", ["limit"]),
        ("limit=99999999999999999999", ["limit"]), ("amount=1&amount=2", ["amount"]), ("amount=-1", ["amount"]),
        ("amount=1&amount_to=2", ["amount"]), ("amount_from=5&amount_to=4", ["amount_to"]),
        ("claimed_from=2026-02-01&claimed_to=2026-01-01", ["claimed_to"]), ("claimed_from=yesterday", ["claimed_from"]),
        ("claimed_from=2026-01-01T00:00:00", ["claimed_from"]), ("card_last_four=11111", ["card_last_four"]),
        ("card_last_four=%D9%A1%D9%A1%D9%A1%D9%A1", ["card_last_four"]),
        ("fort_id=1'", ["fort_id"]), ("currency=aed", ["currency"]), ("outcome=paid", ["outcome"]),
        ("command=REFUND", ["command"]), ("customer_email=nobody", ["customer_email"]),
        ("phone_number=1", ["phone_number"]), ("phone_number=" + String(repeating: "0", count: 255), ["phone_number"]),
        ("customer_name=%00", ["customer_name"]), ("customer_name=%ED%A0%80", ["customer_name"]),
        ("customer_name=" + String(repeating: "a", count: 10_000), ["customer_name"]),
        ("response_code=14008%25", ["response_code"]), ("card_network=%22", ["card_network"]),
        ("authorization_code=", ["authorization_code"]), ("changed_from=today", ["changed_from"]),
        ("needs_attention=yes", ["needs_attention"]), ("after=AAAA", ["after"]), ("account=%00", ["account"]),
        ("merchant_reference=%FF", ["merchant_reference"]), ("merchant_reference=%4", ["merchant_reference"]),
        ("merchant_reference_prefix=", ["merchant_reference_prefix"]),
        ("merchant_reference=" + String(repeating: "A", count: 10_000), ["merchant_reference"]),
    ])
    func namesEachParameterThatIsWrong(query: String, fields: [String]) async throws {
        try await LedgerServer.run { server in
            let answer = try await server.get("/v1/payments?" + query)
            #expect(answer.status == 400)
            let named = answer.json.objectValue?["errors"]?.arrayValue?.compactMap {
                $0.objectValue?["field"]?.stringValue
            }
            #expect(named == fields)
            #expect(answer.body.count < 1_000, "no value is repeated")
        }
    }

    @Test(
        "S7: a cursor holds the end of a page and grants nothing: other filters still apply, and a changed cursor is read or refused"
    )
    func takesACursorForAPlace() async throws {
        try await LedgerServer.run { server in
            for number in 0..<3 { try await server.pay("ORDER-\(number)", amount: 100) }
            let page = try await server.get("/v1/payments?limit=1&currency=OMR")
            let cursor = try #require(page.json.objectValue?["next"]?.stringValue)
            #expect(
                try await server.get("/v1/payments?limit=2&currency=OMR&after=\(cursor)").references == [
                    "ORDER-1", "ORDER-0",
                ])
            #expect(try await server.get("/v1/payments?currency=KWD&after=\(cursor)").references == [])
            for place in cursor.indices {
                var changed = Array(cursor)
                let offset = cursor.distance(from: cursor.startIndex, to: place)
                changed[offset] = changed[offset] == "A" ? "B" : "A"
                let status = try await server.get("/v1/payments?currency=OMR&after=\(String(changed))").status
                #expect([200, 400].contains(status))
            }
            for text in [
                "AAAAAAA", "AAAAAAAA", "AAAAAAAAAAo=", "%00", "______________",
                String(repeating: "A", count: 513),
            ] {
                #expect(try await server.get("/v1/payments?after=\(text)").status == 400, "\(text)")
            }
        }
    }
}

extension LedgerServer {
    fileprivate func pay(_ reference: String, amount: Int) async throws {
        #expect(try await pay(reference, amount, "PURCHASE").status == 200)
    }

    fileprivate func getCSV(_ path: String) async throws -> OutboundAnswer {
        try await client.send(
            OutboundRequest(
                method: .get, url: "http://127.0.0.1:\(port)\(path)", headers: [("Accept", "text/csv")],
                connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
    }
}

extension LedgerServer.Answer {
    fileprivate var references: [String] {
        json.objectValue?["payments"]?.arrayValue?.compactMap { $0.objectValue?["merchant_reference"]?.stringValue }
            ?? []
    }
}
