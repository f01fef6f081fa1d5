import FortAPI
import Primitives

/// A CHECK_STATUS whose parameters are those that FORT takes.
struct SandboxQuery {
    let merchantReference: String
    let merchantIdentifier: String
    /// Where it is sent, the order's must be the same.
    let fortID: String?

    init(_ parameters: JSONObject) throws(SandboxRefusal) {
        let texts = try SandboxParameters(
            parameters, of: .checkStatus, mandatory: ["merchant_reference"],
            optional: ["fort_id", "return_third_party_response_codes"]
        ).texts
        merchantReference = texts["merchant_reference"] ?? ""
        merchantIdentifier = texts["merchant_identifier"] ?? ""
        fortID = texts["fort_id"]
    }
}
