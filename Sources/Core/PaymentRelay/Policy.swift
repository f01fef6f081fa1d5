public import ApplePayToken

extension PaymentRelay {
    /// Settings of the relay that an operator can configure.
    public struct Policy: Sendable {
        /// How tokens are verified; nil relays them unverified, which an operator has to ask for by name.
        public var verifier: TokenVerifier?
        /// How long a payment is uncertain before the gateway's "no such order" is final.
        public var notFoundAfter: Duration
        /// How long an operation is uncertain before the gateway's totals, which do not show it, are final: longer
        /// than the gateway keeps operations on hold.
        public var operationNotFoundAfter: Duration
        /// How long a client waits at most: then it is answered, whether or not the outcome is known. Nil waits for the
        /// outcome.
        public var answerAfter: Duration?
        /// How long stored answers hold customer data; then it is erased.
        public var retention: Duration
        /// Time after which an open payment counts as overdue.
        public var overdueAfter: Duration
        /// Whether the merchant's backend is notified of what happens.
        public var recordsEvents: Bool
        /// The merchant's payment processing certificates, for which tokens are expected; empty where none is watched.
        public var processingCertificates: ProcessingCertificates
        /// How many requests may be under way at once to each gateway, by its name.
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

        /// How many of a gateway's places questions of one kind take: a part of what this instance has, so that a gateway that
        /// does not answer leaves room for charges.
        func questionsAtOnce(to gateway: String, takingOneIn part: Int, atMost most: Int, among instances: Int) -> Int {
            min(most, max(1, (requestsAtOnce[gateway] ?? .max) / instances / part))
        }
    }
}
