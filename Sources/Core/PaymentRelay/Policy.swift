public import ApplePayToken

extension PaymentRelay {
    /// Settings of the relay that an operator can configure.
    public struct Policy: Sendable {
        /// How tokens are verified. `nil` relays them unverified, which the operator has to configure explicitly.
        public var verifier: TokenVerifier?
        /// The time for which a payment is uncertain before the gateway's "order not found" is final.
        public var notFoundAfter: Duration
        /// How long an operation is uncertain before the gateway's totals are final if they do not show the
        /// operation. Set it longer than the gateway keeps operations on hold.
        public var operationNotFoundAfter: Duration
        /// How long a client waits at most. After that the client is answered even if the outcome is not known.
        /// `nil` makes clients wait for the outcome.
        public var answerAfter: Duration?
        /// How long stored answers hold customer data. After that the data is erased.
        public var retention: Duration
        /// Time after which an open payment counts as overdue.
        public var overdueAfter: Duration
        /// Whether the merchant's backend is notified of what happens.
        public var recordsEvents: Bool
        /// The merchant's payment processing certificates, for which tokens are expected; empty if none is watched.
        public var processingCertificates: ProcessingCertificates
        /// The limit of requests that are under way at once to each gateway, by the gateway's name.
        public var requestsAtOnce: [String: Int]

        public init(
            verifier: TokenVerifier?, notFoundAfter: Duration, operationNotFoundAfter: Duration = .seconds(3_600),
            answerAfter: Duration? = nil, retention: Duration = .seconds(30 * 86_400),
            overdueAfter: Duration = .seconds(900), recordsEvents: Bool = false,
            processingCertificates: ProcessingCertificates = [], requestsAtOnce: [String: Int] = [:]
        ) {
            self.verifier = verifier
            self.notFoundAfter = notFoundAfter
            self.operationNotFoundAfter = operationNotFoundAfter
            self.answerAfter = answerAfter
            self.retention = retention
            self.overdueAfter = overdueAfter
            self.recordsEvents = recordsEvents
            self.processingCertificates = processingCertificates
            self.requestsAtOnce = requestsAtOnce
        }

        /// Returns how many of a gateway's slots one kind of query may take: a part of this instance's slots, so
        /// that a gateway that does not answer leaves slots for charges.
        func queriesAtOnce(to gateway: String, takingOneIn part: Int, atMost most: Int, among instances: Int) -> Int {
            min(most, max(1, (requestsAtOnce[gateway] ?? .max) / instances / part))
        }
    }
}
