import ApplePaySession
import Composition
import FoundationEssentials
import GatewayModule
import HTTPListener
import PayrelayPrimitives
import RelayServer

/// Checks when certificates expire. Apple's certificates expire after 25 months, and Apple Pay stops working with
/// them.
struct CertificateEnds {
    private let ends: [CertificateEnd]

    init(_ ends: [CertificateEnd]) {
        self.ends = ends
    }

    init(of configuration: RelayConfiguration) {
        let certificates = ConfiguredCertificates(
            listener: configuration.tls.flatMap { try? ListenerCertificate($0) },
            adminListener: configuration.adminTLS.flatMap { try? ListenerCertificate($0) },
            identities: configuration.applePaySessions?.identities,
            processing: configuration.processingCertificates.certificates)
        self.init(certificates.ends())
    }

    private static let notice = 30

    /// Returns one diagnostic for each kind of certificate. If there are several certificates of a kind, as
    /// during a renewal, the last to expire counts.
    func diagnostics(at moment: Date) -> [Diagnostic] {
        CertificateEnd.Kind.allCases.compactMap { kind in
            guard let last = ends.filter({ $0.kind == kind }).max(by: { $0.notAfter < $1.notAfter }) else { return nil }
            let check = "certificate:\(kind.rawValue.replacingEach("_", with: "-"))"
            let days = Int((last.notAfter.timeIntervalSince(moment) / 86_400).rounded(.down))
            let advice = "docs/runbook.md, Renew a certificate."
            if days < 0 {
                return .fail(check, "\(last.subject) has ended, \((-days).counting("day")) ago", advice: advice)
            }
            if days < Self.notice {
                return .fail(check, "\(last.subject) expires in \(days.counting("day"))", advice: advice)
            }
            return .pass(check, "\(last.subject) is valid for \(days) more days")
        }
    }
}
