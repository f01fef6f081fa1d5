import FortAPI
import OrderedJSON

/// A CHECK_STATUS whose parameters are those that FORT takes.
struct SandboxQuery {
    let merchantReference: String
    /// Where it is sent, the order's must be the same.
    let fortID: String?

    init(_ parameters: JSONObject) throws(SandboxRefusal) {
        let language = parameters["language"]?.stringValue
        guard let reference = parameters["merchant_reference"]?.stringValue, language != nil else {
            throw SandboxRefusal(status: "00", message: "001")
        }
        guard language == "en" || language == "ar" else { throw SandboxRefusal(status: "00", message: "033") }
        guard parameters.names.allSatisfy(Self.names.contains) else {
            throw SandboxRefusal(status: "00", message: "027")
        }
        merchantReference = reference
        fortID = parameters["fort_id"]?.stringValue
    }

    private static let names: Set<String> = [
        "query_command", "access_code", "merchant_identifier", "merchant_reference", "fort_id", "language",
        "return_third_party_response_codes", "signature",
    ]
}
