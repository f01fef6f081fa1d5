import PaymentRelay

extension RelayConfiguration {
    /// The rules of the core.
    var policy: PaymentRelay.Policy {
        PaymentRelay.Policy(
            verifier: tokenVerifier, notFoundAfter: notFoundAfter, operationNotFoundAfter: operationNotFoundAfter,
            answerAfter: answerAfter, retention: retention, overdueAfter: overdueAfter,
            recordsEvents: events != nil, processingCertificates: processingCertificates.certificates,
            requestsAtOnce: Dictionary(uniqueKeysWithValues: modules.map { (type(of: $0).name, $0.requestsInFlight) }))
    }
}
