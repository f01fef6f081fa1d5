import JournalContract
import PaymentRelay
import Testing

/// A mistake made on purpose, to see whether the simulation finds it. The relay is unchanged: its journal, gateway or receiver
/// is wrapped in a type that behaves as if the relay had the mistake.
struct PlantedBug: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A part of the finding that the simulation must report. It shows that the simulation found the mistake and not a side
    /// effect of the wrapping.
    let sign: String
    var notFoundAfter = RelayHost.notFoundAfter
    var operationNotFoundAfter = RelayHost.operationNotFoundAfter
    /// How far the standby lags behind a primary that does not wait for it.
    var lag = Duration.zero
    /// Makes the journal of a process. It is made anew for every process: what the journal remembers ends with the process.
    var journal: @Sendable (any Journal, SimulatedWorld) -> any Journal = { inner, _ in inner }
    var gateway: @Sendable (SimulatedGateway) -> any Gateway = { $0 }
    var receiver: @Sendable (any EventReceiver, SimulatedWorld) -> any EventReceiver = { inner, _ in inner }
    /// Takes FORT's feedback. Returns whether the relay acknowledges it.
    var receive: @Sendable (PaymentRelay, GatewayHint) async throws -> Bool = { try await $0.takeHint($1) }

    /// Changes a request for an operation before the relay handles it.
    var operation: @Sendable (OperationRequest) -> OperationRequest = { $0 }

    static let all =
        journals + gateways + operations + totals + hints + charges + events + [
            PlantedBug(
                testDescription: "no such order is taken for final at once", sign: "and the journal says not_processed",
                notFoundAfter: .zero),
            PlantedBug(
                testDescription: "the primary does not wait for its standby", sign: "reached FORT by 2 sendings",
                lag: .seconds(20)),
            PlantedBug(
                testDescription: "totals that do not show a capture yet are taken for final",
                sign: "is not_processed, and FORT carried it out 1 times", operationNotFoundAfter: .zero),
            PlantedBug(
                testDescription: "an operator's form is carried out whatever happened since",
                sign: "was decided on another balance",
                operation: { request in
                    guard request.basis != nil else { return request }
                    return OperationRequest(
                        merchantReference: request.merchantReference, command: request.command, amount: request.amount,
                        idempotencyKey: request.idempotencyKey, identifier: request.identifier)
                }),
        ]

    /// The seed at which the search for the mistake begins. The search would find the mistake from any seed in the end, and
    /// from these seeds at once.
    var firstSeed: UInt64 { Self.firstSeeds[testDescription] ?? 1 }

    private static let firstSeeds: [String: UInt64] = [
        "FORT's number of a charge is not looked at": 41,
        "a claim that fails is not heeded": 96,
        "a message is acknowledged before it is recorded": 606,
        "a refusal is told before the status is queried": 1047,
        "a settled payment is settled for good": 93,
        "a status is believed beside totals that contradict it": 729,
        "a status without an amount proves the order's amount": 362,
        "a success that is taken back is gone": 175,
        "a success that is taken back is recorded nowhere": 175,
        "an answer is believed before its signature is verified": 136,
        "an answer to an operation is believed before its signature is verified": 160,
        "an operation begins on a payment that was changed since it was read": 1037,
        "an operation is sent before it is recorded": 66,
        "an operation of a known amount is taken for the known operation": 1278,
        "an operation on hold is taken for done": 259,
        "an outcome does not compare the version that was read": 1025,
        "old totals end an operation": 971,
        "the next event does not wait for one that was refused": 368,
        "the outcome is answered before it is recorded": 22,
        "the references of operations are not looked up": 197,
        "the time to not found is counted from the claim": 1652,
        "totals that do not show a capture yet are taken for final": 74,
        "what was not sent stays an operation": 75,
    ]
}
