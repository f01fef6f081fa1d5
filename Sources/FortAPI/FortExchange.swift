/// One request to FORT and what came of it, for whoever counts.
public struct FortExchange: Sendable {
    public let command: FortCommand
    /// From the request's leaving to the verified answer, or to the failure.
    public let duration: Duration
    public let result: Result<FortAnswer, FortFailure>
}
