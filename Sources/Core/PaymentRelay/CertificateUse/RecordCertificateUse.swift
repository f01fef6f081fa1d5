import ApplePayToken
import Logging
public import PayrelayPrimitives

extension PaymentRelay {
    /// Records for which certificate a payment's token was encrypted. It cannot fail, and it does not wait.
    func noteCertificate(of request: PaymentRequest, _ verification: TokenVerification?) {
        // `publicKeyHash` is not signed. A token that Apple did not sign at all says nothing about the merchant's
        // phones.
        let isGenuine = verification.map { $0.isValid || $0.firstFailure?.name == .publicKeyHash } ?? true
        guard let token = request.token, isGenuine, !request.isSimulated else { return }
        guard case .unknown(let isNews) = certificateUse.see(token, at: now()) else { return }
        observe(.unknownCertificate(token.version))
        guard isNews else { return }
        logger.warning(
            """
            a token was encrypted for a payment processing certificate that is not configured: the gateway can decrypt it only \
            if it has that certificate's key
            """,
            metadata: [
                // At most the length of a SHA-256, whatever a client sends.
                "public_key_hash": "\(token.header.publicKeyHash.text.prefix(44))",
                "version": "\(token.version.rawValue)",
                "request_id": "\(request.identifier)",
            ])
    }

    /// Writes to the journal on which day tokens were last seen, once for each certificate and day, until the
    /// current task is cancelled. It must be called only once.
    public func recordCertificateUse() async {
        _ = await lastSeenOfCertificates()
        for await _ in certificateUse.changes {
            while !Task.isCancelled, await !writeCertificateUse() { try? await Task.sleep(for: .seconds(60)) }
        }
    }

    /// Writes the uses that are not written yet.
    ///
    /// - Returns: `false` if some of them could not be written.
    @discardableResult
    public func writeCertificateUse() async -> Bool {
        for use in certificateUse.pending {
            do throws(JournalError) {
                try await journal.recordCertificateUse(use)
                certificateUse.wrote(use)
            } catch {
                logger.warning("the use of a certificate could not be recorded", metadata: ["error": "\(error)"])
                return false
            }
        }
        return true
    }

    /// Returns the last day with a token for each configured payment processing certificate, by `publicKeyHash`,
    /// including other instances' tokens. If the journal cannot be read, it returns what this instance knows.
    public func lastSeenOfCertificates() async -> [Base64Text: CalendarDay] {
        if certificateUse.isWatching, let known = try? await journal.certificateUse() { certificateUse.adopt(known) }
        return certificateUse.lastSeen
    }

    /// The same days, as they were last read.
    public var knownLastSeenOfCertificates: [Base64Text: CalendarDay] { certificateUse.lastSeen }
}
