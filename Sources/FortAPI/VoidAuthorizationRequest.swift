public import Primitives

/// FORT's VOID_AUTHORIZATION: let go of what an authorization holds, as long as nothing of it was captured.
///
/// It has no amount: APS's present page and its SDKs send none. Only an older parameter table lists one.
public struct VoidAuthorizationRequest: FortRequest {
    public let parameters: JSONObject

    /// - Parameters:
    ///   - merchantReference: of the authorization.
    ///   - language: of the texts in the answer, `en` or `ar`.
    ///   - fortID: FORT's own number of the order, where it is known.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    public init(
        merchantReference: String, language: String = "en", fortID: String? = nil, orderDescription: String? = nil
    ) throws(ValidationErrors) {
        parameters = try VoidAuthorizationRequest.parameters(
            of: .voidAuthorization,
            [
                "merchant_reference": merchantReference, "language": language, "fort_id": fortID,
                "order_description": orderDescription,
            ])
    }

    public var command: FortCommand { .voidAuthorization }

    public var description: String { command.rawValue }
}
