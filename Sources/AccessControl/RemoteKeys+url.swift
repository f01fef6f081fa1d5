public import Logging
public import OutboundHTTP

extension RemoteKeys {
    /// Fetches from a URL, which must be `https`; plain `http` is taken on loopback only.
    public init(url: String, client: OutboundClient, logger: Logger) {
        self.init(logger: logger) {
            let answer = try await client.send(
                OutboundRequest(
                    method: .get, url: url, headers: [("Accept", "application/jwk-set+json, application/json")],
                    timeout: .seconds(5), answerLimit: 65_536))
            guard answer.status == 200 else { throw OutboundFailure.noAnswer(reason: "status \(answer.status)") }
            return answer.body
        }
    }
}
