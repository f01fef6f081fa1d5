import Foundation
import PayrelayAPI
import PayrelayClient
import PayrelayPrimitives
import Testing

@testable import PayrelayFortSDK

@Suite struct FortResponseTests {
    static func document(_ outcome: String, _ answer: JSONObject = [:], command: String = "AUTHORIZATION") throws
        -> PaymentDocument
    {
        var document: JSONObject = [
            "merchant_reference": "merchant", "command": .string(command), "outcome": .string(outcome),
            "amount": 10_000, "currency": "USD",
        ]
        for member in answer.members { document[member.name] = member.value }
        return try PaymentDocument(parsing: JSON.object(document).encoded())
    }

    private func response(_ outcome: Result<PaymentResult, RelayError>) throws -> FortResponse {
        FortResponse(outcome, of: try FortRequest(FortRequestTests.sample))
    }

    @Test("A success has FORT's fields and the sent ones, and no credential")
    func success() throws {
        let receipt = try Self.document(
            "authorized",
            [
                "response_code": "02000", "status": "02", "response_message": "Success.",
                "fort_id": "149295435400084008",
                "payment_option": "VISA", "authorization_code": "S084008", "card_number": "411111******1111",
            ])
        let response = try response(.success(.authorized(receipt)))
        #expect(response.closure == .success)
        #expect(
            response.fields == [
                "response_code": "02000", "status": "02", "response_message": "Success.",
                "fort_id": "149295435400084008",
                "payment_option": "VISA", "authorization_code": "S084008", "card_number": "411111******1111",
                "amount": "10000", "command": "AUTHORIZATION", "currency": "USD", "customer_email": "email@domain.com",
                "language": "en", "merchant_reference": "merchant", "digital_wallet": "APPLE_PAY",
                "may_have_been_charged": "NO",
            ])
    }

    @Test("A payment that may have been charged is 15777, uncertain, and must not be paid again")
    func uncertain() throws {
        let document = try Self.document("uncertain", ["response_code": "02000", "fort_id": "1"])
        for outcome: Result<PaymentResult, RelayError> in [
            .success(.uncertain(document)), .success(.uncertain(nil)), .failure(.noAnswer),
            .failure(.cancelled(mayHaveBeenSent: true)), .failure(.referenceTaken(by: document)),
            .failure(.referenceTaken(by: try Self.document("captured"))), .failure(.referenceTaken(by: nil)),
            .failure(.tokenUsed), .failure(.refused(ProblemDocument(.idempotencyKeyTaken, ""))),
        ] {
            let response = try response(outcome)
            guard case .failed(let message) = response.closure else { return #expect(Bool(false), "\(response)") }
            #expect(message == "Your payment is being checked. Please do not pay again.")
            #expect(response.fields["response_code"] == "15777")
            #expect(response.fields["status"] == "15")
            #expect(response.fields["response_message"] == message)
            #expect(response.fields[FortResponse.mayHaveBeenCharged] == "YES")
        }
    }

    @Test("Every text is in the request's language, and the reason for the log is in English")
    func arabic() throws {
        var sample = FortRequestTests.sample
        sample["language"] = "ar"
        let request = try FortRequest(sample)
        let document = try Self.document("declined", [:])
        let texts = CustomerTexts(.arabic)
        let declined = try Self.document("declined", ["response_message": "بطاقة منتهية"])
        for (outcome, text) in [
            (.success(.uncertain(nil)), texts.beingChecked), (.failure(.noAnswer), texts.beingChecked),
            (.success(.declined(document)), texts.declined), (.success(.notProcessed(document)), texts.notCharged),
            (.success(.returned(document)), texts.givenBack), (.success(.captured(document)), texts.paid),
            (.success(.declined(declined)), "بطاقة منتهية"), (.failure(.tokenUsed), texts.beingChecked),
            (.failure(.insecureConnection(detail: "URLError -1200")), texts.notCharged),
            (
                .failure(.invalidFields([ValidationError(field: "customer_email", detail: "is wrong")])),
                texts.emailAddress
            ),
        ] as [(Result<PaymentResult, RelayError>, String)] {
            let response = FortResponse(outcome, of: request)
            #expect(response.fields["response_message"] == text)
            if case .failed(let message) = response.closure { #expect(message == text) }
            guard case .failure(let error) = outcome else { continue }
            #expect(response.fields["relay_error"] == error.description)
        }
        #expect(FortResponse(cancelled: request).fields["response_message"] == texts.cancelled)
    }

    @Test("A decline has FORT's own code and text, and never that of a success or an open outcome")
    func declined() throws {
        for (code, reading, told) in [
            ("03012", "declined", "03012"), ("13029", "declined", "13029"), ("13102", "token", "13102"),
            ("02000", "success", "03666"), ("15777", "uncertain", "03666"), ("03777", "uncertain", "03666"),
            ("13007", "duplicate", "03666"), ("00006", "uncertain", "03666"), ("03012", "a_later_class", "03666"),
            ("x", "declined", "03666"), ("", "declined", "03666"), ("03٠12", "declined", "03666"),
        ] {
            let document = try Self.document(
                "declined",
                [
                    "response_code": .string(code), "response_class": .string(reading),
                    "response_message": "Card expired.",
                ])
            let response = try response(.success(.declined(document)))
            #expect(response.closure == .failed(message: "Card expired."))
            #expect(response.fields["response_code"] == told)
            #expect(response.fields["status"] == "\(told.prefix(2))")
            #expect(response.fields[FortResponse.mayHaveBeenCharged] == "NO")
        }
    }

    private static let table = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }
    .deletingLastPathComponent().appendingPathComponent("shared/reference/fort-codes.tsv")

    @Test(
        "FORT's table calls 15777 uncertain, and none of the library's own codes of a failed payment",
        .enabled(if: FileManager.default.fileExists(atPath: table.path)))
    func fortsTable() throws {
        let rows = try String(contentsOf: Self.table, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let isOpen = ["uncertain", "pending", "in_review", "action_required", "success"]
        #expect(rows.contains { $0[0] == "response" && $0[1] == "15777" && $0[3] == "uncertain" })
        #expect(rows.contains { $0[0] == "status" && $0[1] == "15" && $0[2] == "Uncertain Transaction." })
        // The library itself gives these messages about payments that were not charged.
        for message in ["001", "002", "010", "033", "034", "066", "072", "073", "074", "089", "102", "666"] {
            #expect(rows.contains { $0[0] == "message" && $0[1] == message && !isOpen.contains($0[3]) }, "\(message)")
        }
    }

    @Test("Errors after which nothing is charged have codes of failures, by the command")
    func errors() throws {
        let field = ValidationError(field: "customer_email", detail: "must be an email address")
        let document = try Self.document("voided", ["response_code": "02000"])
        let refunded = try Self.document("refunded", ["response_code": "14000"])
        for (outcome, code) in [
            (.failure(.invalidFields([field])), "00002"), (.failure(.orderNotAllowed([field])), "00033"),
            (.failure(.tokenRefused(check: "freshness", detail: "")), "23102"),
            (.failure(.tokenRefused(check: "signature", detail: "")), "23089"), (.failure(.simulatorToken), "23089"),
            (.failure(.referenceTaken(by: try Self.document("declined"))), "00066"),
            (.failure(.notAuthenticated(detail: "")), "00010"), (.failure(.notPermitted(detail: "")), "00034"),
            (.failure(.nothingWasSent(retryAfter: 1)), "03074"), (.failure(.insecureConnection(detail: "")), "03074"),
            (.failure(.cancelled(mayHaveBeenSent: false)), "00072"), (.failure(.invalidConfiguration("")), "00073"),
            (.success(.notProcessed(document)), "03074"), (.success(.returned(document)), "08000"),
            (.success(.returned(refunded)), "06000"),
        ] as [(Result<PaymentResult, RelayError>, String)] {
            let response = try response(outcome)
            #expect(response.fields["response_code"] == code)
            #expect(response.fields["status"] == "\(code.prefix(2))")
            #expect(response.fields[FortResponse.mayHaveBeenCharged] == "NO")
            guard case .failed = response.closure else { return #expect(Bool(false), "\(response)") }
        }
    }
}
