import PayrelayPrimitives
import Testing

@testable import FortAPI

/// FORT's answer to each operation, and the parameters of the answer that must match the request.
struct OperationAnswerTests {
    typealias Operation = OperationRequestTests.Operation

    private static let values = [
        "fort_id": "149295435400084008", "maintenance_reference": "REFUND-1", "device_id": "device-1",
        "order_description": "half of it",
    ]

    private func message(_ operation: Operation) throws -> FortMessage {
        FortMessage(signing: try operation.request(Self.values), for: try Samples.account())
    }

    /// Returns FORT's answer: it repeats every parameter of the request and adds others.
    private func answer(_ operation: Operation, changing changes: [String: JSON?] = [:]) throws -> FortAnswer {
        let message = try message(operation)
        var answer = message.parameters
        answer["signature"] = nil
        answer["response_code"] = .string(message.command.successCode.description)
        answer["status"] = .string(message.command.successCode.status)
        if operation == .sdkToken { answer["sdk_token"] = "Dwp78q3" }
        for (name, value) in changes { answer[name] = value }
        return try FortAnswer(verifying: Samples.signed(answer), of: try Samples.account(), to: message)
    }

    @Test(arguments: Operation.allCases)
    func onlyTheCommandsOwnSuccessCodeIsASuccess(operation: Operation) throws {
        #expect(try answer(operation).class == .success)
        for command in FortCommand.allCases where try command != message(operation).command {
            let code = command.successCode
            let changes: [String: JSON?] = ["response_code": .string(code.description), "status": .string(code.status)]
            #expect(try answer(operation, changing: changes).class == .uncertain)
        }
    }

    @Test(arguments: Operation.allCases)
    func refusesTheAnswerToAnotherRequest(operation: Operation) throws {
        let names = try message(operation).parameters.names
        let free: Set = ["signature", "language", "order_description"]
        for name in names where !free.contains(name) {
            #expect(throws: FortAnswerError.foreign(parameter: name)) {
                try answer(operation, changing: [name: "another"])
            }
        }
    }

    @Test(arguments: Operation.allCases)
    func refusesAnAnswerWithoutAReference(operation: Operation) throws {
        let name = operation == .sdkToken ? "device_id" : "merchant_reference"
        #expect(throws: FortAnswerError.incomplete(parameter: name)) { try answer(operation, changing: [name: nil]) }
    }

    @Test func doesWithoutTheOtherEchoes() throws {
        let none: [String: JSON?] = [
            "fort_id": nil, "maintenance_reference": nil, "access_code": nil,
        ]
        #expect(try answer(.refund, changing: none).class == .success)
    }

    @Test(arguments: [
        (Operation.capture, "05042", FortCode.Class.notAllowed), (.refund, "07048", .notAllowed),
        (.void, "09034", .notAllowed), (.refund, "07006", .uncertain), (.capture, "05666", .declined),
        (.sdkToken, "21068", .configuration), (.sdkToken, "00008", .signature), (.capture, "00036", .notFound),
        (.capture, "05777", .uncertain), (.refund, "07043", .configuration),
    ])
    func classifiesFailures(operation: Operation, code: String, expected: FortCode.Class) throws {
        let changes: [String: JSON?] = ["response_code": .string(code), "status": .string(String(code.prefix(2)))]
        #expect(try answer(operation, changing: changes).class == expected)
    }

    @Test func returnsAnSDKTokenOnlyOfASuccessAndRedacted() throws {
        let token = try answer(.sdkToken).sdkToken
        #expect(token?.exposed == "Dwp78q3")
        #expect(token.map { "\($0)" } == "***")
        #expect(try answer(.sdkToken, changing: ["response_code": "21006", "status": "21"]).sdkToken == nil)
        #expect(try answer(.refund, changing: ["sdk_token": "x"]).sdkToken == nil)
    }
}
