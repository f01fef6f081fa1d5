import PayrelayPrimitives

/// The reason why a call is rejected: a code of Portmone's page "Masterpass iOS SDK", section 8, with a
/// detail if the code says too little.
struct SandboxError: Error, Equatable {
    let code: Int
    var detail: String?

    init(_ code: Int, _ detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    var json: JSON {
        var error: JSONObject = ["code": JSON(code)]
        error["detail"] = detail.map(JSON.string)
        return ["error": .object(error)]
    }
}
