public import PayrelayPrimitives

/// FORT's CHECK_STATUS: what became of the order with this reference. It changes nothing and may be repeated.
public struct CheckStatusRequest: FortRequest {
    public let parameters: JSONObject

    /// - Parameters:
    ///   - fortID: FORT's own number of the order, where it is known.
    ///   - language: of the texts in the answer, `en` or `ar`.
    ///   - returnsThirdPartyResponseCodes: whether the answer shall hold the processor's and the acquirer's codes.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    public init(
        merchantReference: String, fortID: String? = nil, language: String = "en",
        returnsThirdPartyResponseCodes: Bool = false
    ) throws(ValidationErrors) {
        parameters = try CheckStatusRequest.parameters(
            of: .checkStatus,
            [
                "merchant_reference": merchantReference, "fort_id": fortID, "language": language,
                "return_third_party_response_codes": returnsThirdPartyResponseCodes ? "YES" : nil,
            ])
    }

    public var command: FortCommand { .checkStatus }

    public var description: String { command.rawValue }
}

extension FortMessage {
    /// A question that changes nothing and that FORT can answer by itself: CHECK_STATUS for an order that does not exist.
    ///
    /// - Throws: never: the reference is within FORT's limits.
    public static func probe(for account: FortAccount) throws(ValidationErrors) -> FortMessage {
        FortMessage(signing: try CheckStatusRequest(merchantReference: "payrelay-probe"), for: account)
    }
}
