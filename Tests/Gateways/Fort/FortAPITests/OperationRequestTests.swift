import PayrelayPrimitives
import Testing

@testable import FortAPI

/// The commands that follow a payment or stand beside it: CAPTURE, VOID_AUTHORIZATION, REFUND, CHECK_STATUS, SDK_TOKEN.
struct OperationRequestTests {
    /// A request of each operation, made from values by FORT's names.
    enum Operation: CaseIterable {
        case capture, void, refund, checkStatus, sdkToken

        func request(_ values: [String: String]) throws(ValidationErrors) -> FortRequest {
            let (reference, language) = (values["merchant_reference"] ?? "ORDER-1001", values["language"] ?? "en")
            let command: FortCommand
            switch self {
            case .capture: command = .capture
            case .void: command = .voidAuthorization
            case .refund: command = .refund
            case .checkStatus:
                return try FortRequest(statusOf: reference, fortID: values["fort_id"], language: language)
            case .sdkToken: return try FortRequest(deviceID: values["device_id"] ?? "device-1", language: language)
            }
            return try FortRequest(
                command, merchantReference: reference, amount: values["amount"] ?? "2500",
                currency: values["currency"] ?? "AED", language: language,
                maintenanceReference: values["maintenance_reference"], fortID: values["fort_id"],
                orderDescription: values["order_description"])
        }

        /// The parameters that the operation may have besides the command, by APS's pages.
        var names: [String] {
            switch self {
            case .capture: ["merchant_reference", "amount", "currency", "language", "fort_id", "order_description"]
            case .void: ["merchant_reference", "language", "fort_id", "order_description"]
            case .refund:
                [
                    "merchant_reference", "amount", "currency", "language", "maintenance_reference", "fort_id",
                    "order_description",
                ]
            case .checkStatus: ["merchant_reference", "fort_id", "language"]
            case .sdkToken: ["device_id", "language"]
            }
        }
    }

    /// For each parameter, the longest value that FORT documents, and a value with one character more.
    static let limits: [(name: String, longest: String, tooLong: String)] = [
        ("merchant_reference", String(repeating: "a", count: 40), String(repeating: "a", count: 41)),
        ("amount", "9999999999", "10000000000"), ("currency", "KWD", "KWDD"), ("language", "ar", "ara"),
        ("fort_id", String(repeating: "9", count: 20), String(repeating: "9", count: 21)),
        ("order_description", String(repeating: "d", count: 150), String(repeating: "d", count: 151)),
        ("maintenance_reference", String(repeating: "m", count: 200), String(repeating: "m", count: 201)),
        ("device_id", String(repeating: "f", count: 100), String(repeating: "f", count: 101)),
    ]

    private func errors(_ operation: Operation, _ values: [String: String]) -> [ValidationError] {
        do {
            _ = try operation.request(values)
            return []
        } catch {
            return error.errors
        }
    }

    @Test(arguments: Operation.allCases)
    func takesEveryParameterAtItsLimitAndNotOnePast(operation: Operation) throws {
        for limit in Self.limits where operation.names.contains(limit.name) {
            let request = try operation.request([limit.name: limit.longest])
            #expect(request.parameters[limit.name] == .string(limit.longest))
            #expect(Set(errors(operation, [limit.name: limit.tooLong]).map(\.field)) == [limit.name])
        }
    }

    @Test(arguments: Operation.allCases)
    func carriesItsCommandAndParameters(operation: Operation) throws {
        let values = Dictionary(uniqueKeysWithValues: Self.limits.map { ($0.name, $0.longest) })
        let request = try operation.request(values)
        let command = request.command
        #expect(request.parameters[command.parameterName] == .string(command.rawValue))
        #expect(Set(request.parameters.names) == Set(operation.names + [command.parameterName]))
    }

    @Test(arguments: Operation.allCases)
    func leavesOutAbsentParameters(operation: Operation) throws {
        let optional: Set = ["fort_id", "order_description", "maintenance_reference"]
        let values = ["order_description": "  ", "fort_id": "", "maintenance_reference": ""]
        for request in [try operation.request([:]), try operation.request(values)] {
            #expect(optional.isDisjoint(with: request.parameters.names))
        }
    }

    @Test(arguments: Operation.allCases)
    func namesMissingMandatoryParameters(operation: Operation) {
        let mandatory = operation.names.filter {
            ["merchant_reference", "amount", "currency", "language", "device_id"].contains($0)
        }
        for name in mandatory {
            #expect(errors(operation, [name: ""]) == [ValidationError(field: name, detail: "is missing")])
        }
    }

    @Test func sendsNoAmountToVoid() throws {
        let request = try FortRequest(.voidAuthorization, merchantReference: "ORDER-1001")
        #expect(
            request.parameters == [
                "command": "VOID_AUTHORIZATION", "merchant_reference": "ORDER-1001", "language": "en",
            ])
    }

    @Test func makesNoPaymentWithoutItsFields() {
        for command in [FortCommand.authorization, .purchase, .checkStatus, .sdkToken] {
            #expect(throws: ValidationErrors.self) { try FortRequest(command, merchantReference: "ORDER-1001") }
        }
    }

    @Test func requestsTheStatusOfAReference() throws {
        let request = try FortRequest(statusOf: "ORDER-1001", language: "ar")
        #expect(
            request.parameters == [
                "query_command": "CHECK_STATUS", "merchant_reference": "ORDER-1001", "language": "ar",
            ])
    }

    @Test func requestsAnSDKToken() throws {
        let request = try FortRequest(deviceID: "ffffffff-a9fa-0b44-7b27-29e70033c587")
        #expect(
            request.parameters == [
                "service_command": "SDK_TOKEN", "language": "en", "device_id": "ffffffff-a9fa-0b44-7b27-29e70033c587",
            ])
    }

    @Test(arguments: [
        (Operation.capture, "amount", "10.50"), (.capture, "amount", "0"), (.refund, "amount", "-1"),
        (.refund, "currency", "ZZZ"), (.refund, "maintenance_reference", "a=b"),
        (.refund, "maintenance_reference", "a b"),
        (.capture, "fort_id", "12a"), (.capture, "fort_id", "١٢"), (.void, "merchant_reference", "a\nb"),
        (.checkStatus, "language", "fr"), (.sdkToken, "device_id", "a_b"), (.sdkToken, "device_id", "a\u{202E}b"),
        (.sdkToken, "device_id", " a"),
    ])
    func refusesOtherValues(operation: Operation, name: String, value: String) {
        #expect(errors(operation, [name: value]).map(\.field) == [name])
    }

    @Test func namesEveryErrorAtOnce() {
        let values = ["merchant_reference": "a b", "amount": "1.5", "currency": "?", "maintenance_reference": "="]
        let fields = ["merchant_reference", "amount", "currency", "maintenance_reference"]
        #expect(errors(.refund, values).map(\.field).uniqued == fields)
    }

    @Test func holdsTheLimitsOfTheSDKGuide() {
        // The limits are those of the table in section 5.4.1: device_id, 100 characters, alphanumeric and "-".
        let field = FortField.ofOperations.first { $0.name == "device_id" }
        #expect(field?.maximumLength == 100)
        #expect(field?.isMandatory == true)
        #expect(FortField.named("device_id") == nil, "it is not a parameter of the Apple Pay request")
    }
}

extension Sequence where Element: Hashable {
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
