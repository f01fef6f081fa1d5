public import OrderedJSON

/// FORT's CHECK_STATUS: what became of the order with this reference. It changes nothing and may be repeated.
public struct CheckStatusRequest: FortRequest {
    public let parameters: JSONObject

    /// - Parameter language: of the texts in the answer, `en` or `ar`.
    /// - Throws: ``FortFaults`` where FORT would refuse one of the two.
    public init(merchantReference: String, language: String = "en") throws(FortFaults) {
        let values = ["merchant_reference": merchantReference, "language": language]
        try FortFaults.throwIfAny(FortFault.found(in: values, of: .order).filter { values.keys.contains($0.field) })
        parameters = [
            "query_command": .string(FortCommand.checkStatus.rawValue),
            "merchant_reference": .string(merchantReference),
            "language": .string(language),
        ]
    }

    public var command: FortCommand { .checkStatus }

    public var description: String { command.rawValue }
}
