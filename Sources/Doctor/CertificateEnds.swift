import ApplePaySession
import Composition
import FoundationEssentials
import HTTPListener

/// When certificates end. Apple's end after 25 months, and Apple Pay with them.
struct CertificateEnds {
    private let ends: [(name: String, notAfter: Date)]

    init(_ ends: [(name: String, notAfter: Date)]) {
        self.ends = ends
    }

    init(of configuration: RelayConfiguration) {
        var ends: [(name: String, notAfter: Date)] = []
        if let identity = configuration.applePaySessions?.identity {
            ends.append(("merchant identity", identity.notAfter))
        }
        if let files = configuration.tls, let certificate = try? ListenerCertificate(files) {
            ends.append(("listener", certificate.notAfter))
        }
        self.init(ends)
    }

    private static let notice = 30

    func findings(at moment: Date) -> [Finding] {
        ends.map { name, notAfter in
            let check = "certificate:\(name.replacing(" ", with: "-"))"
            let days = Int((notAfter.timeIntervalSince(moment) / 86_400).rounded(.down))
            let advice = "docs/runbook.md, Certificates. While it is renewed, the old and the new one are both valid."
            if days < 0 { return .fail(check, "the \(name) certificate ended \(-days) days ago", advice: advice) }
            if days < Self.notice {
                return .fail(check, "the \(name) certificate ends in \(days) days", advice: advice)
            }
            return .pass(check, "the \(name) certificate is valid for \(days) more days")
        }
    }
}
