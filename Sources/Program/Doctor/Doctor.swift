public import ApplePayToken
public import Composition
import FortAPI
import FoundationEssentials
import OutboundHTTP

/// Examines a relay's settings and what they lead to, before the first real card: FORT, Apple, certificates, the clock, the
/// journal, and what keeps others out.
///
/// It charges nothing and sends no token. FORT is asked for the status of an order that does not exist, Apple for a merchant
/// session that is not used. The journal's durability is measured by a row of its own, which no payment sees.
public struct Doctor: Sendable {
    private let configuration: RelayConfiguration
    private let token: PaymentToken?

    /// - Parameter token: one that an app of the merchant made, however old, if any.
    public init(_ configuration: RelayConfiguration, token: PaymentToken? = nil) {
        self.configuration = configuration
        self.token = token
    }

    /// - Parameter report: called with each diagnostic as it is made.
    public func examine(_ report: (Diagnostic) -> Void) async {
        let client = OutboundClient()
        defer { client.shutdown() }
        for diagnostic in SafetyCheck(configuration).diagnostics { report(diagnostic) }
        await keys(client).map(report)
        for diagnostic in CertificateEnds(of: configuration).diagnostics(at: Date()) { report(diagnostic) }
        if let token { report(ProcessingCertificateCheck(configuration.tokenVerifier).diagnostic(for: token)) }
        let fort = FortCheck(configuration, client: client)
        for entry in configuration.fortAccounts.entries {
            for diagnostic in await fort.diagnostics(for: entry) { report(diagnostic) }
        }
        report(fort.clock)
        for diagnostic in await AppleCheck(configuration, client: client).diagnostics() { report(diagnostic) }
        for diagnostic in await JournalCheck(configuration.journal).diagnostics() { report(diagnostic) }
    }

    /// The keys of order tokens, where they are read from a URL.
    private func keys(_ client: OutboundClient) async -> Diagnostic? {
        guard let url = configuration.access?.tokenKeysURL else { return nil }
        return await TokenKeysCheck(url: url).diagnostic { request in
            await client.send(request)
        }
    }
}
