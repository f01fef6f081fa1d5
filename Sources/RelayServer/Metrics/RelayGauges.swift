import ApplePayToken
import FoundationEssentials
import PaymentRelay

/// How things stand at a moment: what a scrape looks up.
struct RelayGauges {
    /// Nil until a valid token was seen.
    var certificateDaysLeft: CertificatesSeen.DaysLeft?
    /// Nil where the journal could not be read.
    var open: OpenSummary?
    /// Nil where tokens are not verified.
    var chainCacheUse: ChainCacheUse?
    var requestsUnderWay = 0
    var moment: Date

    var families: [any MetricFamily] {
        [
            FoundFamily(
                "payrelay_build_info", .gauge, "What runs; always 1.", [(BuildLabels(build: .current), 1)]),
            FoundFamily(
                "payrelay_http_requests_under_way", "Requests to the public listener that are being answered.",
                requestsUnderWay),
            FoundFamily(
                "payrelay_payments_open", "Payments whose outcome, or an operation's on them, is open.", open?.count),
            FoundFamily(
                "payrelay_payments_open_oldest_seconds",
                "For how long the oldest of them has been open; 0 where there is none.",
                open.map { $0.oldest.map { Int(moment.timeIntervalSince($0)) } ?? 0 }),
            FoundFamily(
                "payrelay_payments_overdue", "Open payments that PAYRELAY_OVERDUE_AFTER_SECONDS have passed for.",
                open?.overdue),
            FoundFamily(
                "payrelay_token_certificate_days_left", .gauge,
                "Days until the newest certificates seen in valid tokens expire; absent until there was one.",
                certificateDaysLeft.map {
                    [
                        (CertificateLabels(certificate: "intermediate"), Double($0.intermediate)),
                        (CertificateLabels(certificate: "leaf"), Double($0.leaf)),
                    ]
                } ?? []),
            FoundFamily(
                "payrelay_token_chain_lookups_total", .counter,
                "Tokens that a known chain sufficed for (hit), and those that went through OpenSSL (miss).",
                chainCacheUse.map {
                    [
                        (ResultLabels(result: "hit"), Double($0.hits)),
                        (ResultLabels(result: "miss"), Double($0.misses)),
                    ]
                } ?? []),
        ]
    }
}
