import PassKit
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient

@Suite(.timeLimit(.minutes(25))) struct SheetFieldTests {
    private static let email = ValidationError(field: "customer_email", detail: "must be an email address")

    private func refusal(_ errors: [ValidationError]) -> (Double, ScriptedRelay.Answer) {
        (1, .problem(400, .invalidFields, errors))
    }

    @Test("A field that the relay refuses is marked in the sheet, and a corrected authorization is paid")
    func aRefusedFieldIsCorrected() async throws {
        let checkout = Checkout([refusal([Self.email]), (1, .payment("captured"))])
        let outcome = await checkout.run(asking: [.emailAddress, .name, .phoneNumber]) { test in
            await test.sheet.shown()
            test.sheet.authorize(Checkout.payment(email: "sara", phone: "+971501234567", name: ["Sara", "Haddad"]))
            while test.sheet.completions.joined().isEmpty { await Task.yield() }
            test.sheet.authorize(Checkout.payment(email: "sara@example.com"))
        }
        guard case .paid(.captured) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        let completions = checkout.sheet.completions
        #expect(completions.map { $0.map(\.status) } == [[.failure], [.success]])
        #expect(
            completions[0][0].errors as? [PaymentContactInvalidError] == [
                PaymentContactInvalidError(
                    field: .emailAddress, localizedDescription: CustomerTexts(.english).emailAddress)
            ])
        let sent = checkout.relay.sent.compactMap(\.objectValue)
        #expect(sent.map { $0["customer_email"] } == ["sara", "sara@example.com"])
        // The values of the first authorization are kept.
        #expect(sent.last?["customer_name"] == "Sara Haddad")
        #expect(sent.last?["phone_number"] == "+971501234567")
    }

    @Test("A sheet that is closed after a refused field throws the refusal, and is not cancelled")
    func aSheetThatIsClosedAfterARefusal() async {
        let checkout = Checkout([refusal([Self.email])])
        let outcome = await checkout.run(asking: [.emailAddress]) { test in
            await test.sheet.shown()
            test.sheet.authorize(Checkout.payment(email: "sara"))
            while test.sheet.completions.joined().isEmpty { await Task.yield() }
            test.sheet.close()
        }
        guard case .failure(.invalidFields([Self.email])) = outcome else { return #expect(Bool(false), "\(outcome)") }
    }

    @Test("Fields that the sheet did not ask for, unknown ones and none at all close the sheet")
    func fieldsThatCannotBeCorrected() async {
        for errors in [
            [], [ValidationError(field: "amount", detail: "is wrong")],
            [Self.email, ValidationError(field: "amount", detail: "is wrong")],
            [ValidationError(field: "phone_number", detail: "is wrong")],
            [ValidationError(field: "", detail: "")], [ValidationError(field: "CUSTOMER_EMAIL", detail: "is wrong")],
        ] {
            let checkout = Checkout([refusal(errors)])
            let outcome = await checkout.run(asking: [.emailAddress]) { test in
                await test.sheet.shown()
                test.sheet.authorize(Checkout.payment(email: "sara"))
            }
            guard case .failure(.invalidFields) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(checkout.sheet.completions.map { $0.map(\.status) } == [[.failure]])
            #expect(checkout.sheet.completions.joined().allSatisfy { $0.errors.isEmpty })
        }
    }

    @Test("A field that is refused after its task was cancelled closes the sheet")
    func aRefusalAfterTheTaskWasCancelled() async {
        let checkout = Checkout([(1, .problem(400, .invalidFields, [Self.email]))])
        let task = checkout.start(asking: [.emailAddress])
        await checkout.sheet.shown()
        checkout.sheet.authorize(Checkout.payment(email: "sara"))
        await checkout.relay.received()
        task.cancel()
        let outcome = await passing(checkout.clock) { await task.value }
        guard case .failure(.invalidFields) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(!checkout.sheet.isOpen)
    }

    @Test("The sheet's texts are in the order's language, or the app's own, and none is the relay's")
    func theTexts() async throws {
        var own = CustomerTexts(.english)
        own.emailAddress = "Is that your address?"
        for (language, texts, shown) in [
            (.english, nil, CustomerTexts(.english).emailAddress), (.arabic, nil, CustomerTexts(.arabic).emailAddress),
            (.arabic, own, own.emailAddress),
        ] as [(PaymentLanguage, CustomerTexts?, String)] {
            let checkout = Checkout([refusal([Self.email])], language: language, texts: texts)
            _ = await checkout.run(asking: [.emailAddress]) { test in
                await test.sheet.shown()
                test.sheet.authorize(Checkout.payment(email: "sara"))
                while test.sheet.completions.joined().isEmpty { await Task.yield() }
                test.sheet.close()
            }
            let errors = checkout.sheet.completions.joined().flatMap {
                $0.errors as? [PaymentContactInvalidError] ?? []
            }
            #expect(errors.map(\.localizedDescription) == [shown])
        }
    }

    @Test("Each result and error has its display in the sheet, and one that may have been charged is not a success")
    func theTable() throws {
        let document = try PaymentDocument(parsing: ScriptedRelay.document("captured"))
        let problem = ProblemDocument(.internal, "d")
        let everyField = Set(SheetContactField.allCases)
        let outcomes: [(Result<PaymentResult, RelayError>, SheetResult)] = [
            (.success(.authorized(document)), .success), (.success(.captured(document)), .success),
            (.success(.declined(document)), .failureWithoutRetry),
            (.success(.notProcessed(document)), .failureWithoutRetry),
            (.success(.returned(document)), .failureWithoutRetry),
            (.success(.uncertain(document)), .failureWithoutRetry), (.success(.uncertain(nil)), .failureWithoutRetry),
        ]
        for (outcome, result) in outcomes { #expect(SheetResult(outcome, asking: everyField) == result) }
        let errors: [RelayError] = [
            .orderNotAllowed([Self.email]), .tokenRefused(check: nil, detail: ""), .simulatorToken, .tokenUsed,
            .referenceTaken(by: nil), .notAuthenticated(detail: ""), .notPermitted(detail: ""), .noSuchPayment,
            .refused(problem), .nothingWasSent(retryAfter: nil), .noAnswer, .cancelled(mayHaveBeenSent: true),
            .cancelled(mayHaveBeenSent: false), .orderTokenUnavailable(OrderTokenFailure(CancellationError())),
            .insecureConnection(detail: ""), .invalidConfiguration(""),
        ]
        for error in errors {
            #expect(SheetResult(.failure(error), asking: everyField) == .failureWithoutRetry, "\(error)")
        }
        guard case .failure(let marked) = SheetResult(.failure(.invalidFields([Self.email])), asking: everyField) else {
            return #expect(Bool(false))
        }
        #expect(marked.map(\.field) == [.emailAddress])
    }
}
