import Foundation
import PayrelayPrimitives

@testable import PaymentRelay

extension PaymentOperation {
    static func sample(
        _ command: OperationCommand, _ amount: MinorUnits, _ state: State, before: Balance = Balance()
    ) -> PaymentOperation {
        PaymentOperation(
            command: command, amount: amount, maintenanceReference: "m-1", idempotencyKey: nil,
            before: before,
            begunAt: Date(timeIntervalSince1970: 1_800_000_000), state: state)
    }
}
