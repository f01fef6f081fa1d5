extension FortCode.Class {
    /// One line that says what the class means for whoever sent the request.
    public var explanation: String {
        switch self {
        case .success: "It is done."
        case .declined: "The payment was tried and failed. No money moves."
        case .duplicate: "FORT has an order of this reference already. CHECK_STATUS tells what became of that one."
        case .uncertain: "Nobody can tell from this code whether money moved. Ask with CHECK_STATUS."
        case .notFound: "FORT has no order of this reference."
        case .signature: "FORT computed another signature."
        case .configuration: "The account or its settings do not permit this. The merchant or APS must change them."
        case .request: "The request is malformed, and was refused unprocessed."
        case .token: "FORT could not use Apple's token."
        case .notAllowed: "The order's state does not permit this."
        }
    }
}
