import ApplePayToken
import Logging
public import PayrelayPrimitives

extension PaymentRelay {
    /// Notes for which certificate a payment's token was encrypted. It can fail nothing and waits for nothing.
    func noteCertificate(of request: PaymentRequest, _ verification: TokenVerification?) {
        // `publicKeyHash` is not signed. What Apple did not sign at all says nothing about the merchant's phones.
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
                // Not longer than a SHA-256, whatever a client sends.
                "public_key_hash": "\(token.header.publicKeyHash.text.prefix(44))",
                "version": "\(token.version.rawValue)",
                "request_id": "\(request.identifier)",
            ])
    }

    /// Writes to the journal on which day tokens were last seen, until its task is cancelled: once for each certificate and
    /// day. It is to be called once.
    public func recordCertificateUse() async {
        _ = await lastSeenOfCertificates()
        for await _ in certificateUse.changes {
            while !Task.isCancelled, await !writeCertificateUse() { try? await Task.sleep(for: .seconds(60)) }
        }
    }

    /// Writes what is not written yet.
    ///
    /// - Returns: false where some of it could not be.
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

    /// The last day with a token for each configured payment processing certificate, by `publicKeyHash`, other instances'
    /// included. Where the journal cannot be read, what is known here.
    public func lastSeenOfCertificates() async -> [Base64Text: CalendarDay] {
        if certificateUse.isWatching, let known = try? await journal.certificateUse() { certificateUse.adopt(known) }
        return certificateUse.lastSeen
    }

    /// The same as last read.
    public var knownLastSeenOfCertificates: [Base64Text: CalendarDay] { certificateUse.lastSeen }
}
