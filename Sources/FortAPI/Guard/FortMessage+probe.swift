public import Primitives

extension FortMessage {
    /// A question that changes nothing and that FORT can answer by itself: CHECK_STATUS for an order that does not exist.
    ///
    /// - Throws: never: the reference is within FORT's limits.
    public static func probe(for account: FortAccount) throws(ValidationErrors) -> FortMessage {
        FortMessage(signing: try CheckStatusRequest(merchantReference: "payrelay-probe"), for: account)
    }
}
