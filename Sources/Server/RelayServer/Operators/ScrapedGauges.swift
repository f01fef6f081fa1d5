import ApplePayToken
import FoundationEssentials
import Observability
import PaymentRelay
import PayrelayPrimitives

/// The values of the gauges at the time of a scrape.
struct ScrapedGauges {
    /// `nil` until a valid token was seen.
    var certificateDaysLeft: SignerCertificateExpiry.DaysLeft?
    /// `nil` if the public listener has no TLS.
    var listenerCertificateEnd: Date?
    /// `nil` if the admin listener has no TLS.
    var adminCertificateEnd: Date?
    /// `nil` if Apple Pay on the web is not configured.
    var merchantIdentityEnd: Date?
    /// When each configured certificate expires.
    var certificateEnds: [CertificateEnd] = []
    var reloads: [(part: ReloadStatus.Part, succeeded: Bool)] = []
    /// `nil` if the journal allows only one instance.
    var instances: Int?
    /// `nil` if the journal cannot record.
    var durabilityGaps: [DurabilityGap]?
    /// `nil` if the journal could not be read.
    var open: OpenSummary?
    /// `nil` if the journal could not be read.
    var hints: HintSummary?
    /// `nil` if tokens are not verified.
    var chainCacheUse: ChainCacheUse?
    /// `nil` if no events are sent, or if the journal could not be read.
    var events: EventSummary?
    /// `nil` if no events are sent.
    var deliveries: EventDelivery.Attempts?
    var requestsUnderWay = 0
    var logLinesDropped = 0
    var moment: Date

    var families: [any MetricFamily] {
        [
            ScrapedFamily(
                "payrelay_build_info", .gauge, "The running version; always 1.", [(BuildLabels(build: .current), 1)]),
            ScrapedFamily(
                "payrelay_certificate_last_token_timestamp_seconds", .gauge,
                "Start of the last day (UTC) with a token for a configured payment processing certificate; absent until there was one.",
                values(ofEach: { $0.lastSeen?.start() })),
            ScrapedFamily(
                "payrelay_certificate_not_after_timestamp_seconds", .gauge, "When the configured certificates end.",
                values(ofEach: \.notAfter)),
            ScrapedFamily(
                "payrelay_event_attempts_total", .counter,
                "Deliveries of events tried since the process started, by how they went.",
                deliveries.map {
                    [
                        (TextLabel<ResultLabel>("acknowledged"), Double($0.acknowledged)),
                        (TextLabel("refused"), Double($0.refused)),
                        (TextLabel("unanswered"), Double($0.unanswered)),
                    ]
                } ?? []),
            ScrapedFamily(
                "payrelay_events_oldest_seconds",
                "Age of the oldest unacknowledged event, in seconds; 0 if there is none.",
                events.map { $0.oldest.map { max(0, Int(moment.timeIntervalSince($0))) } ?? 0 }),
            ScrapedFamily(
                "payrelay_events_dead_lettered_payments",
                "Payments whose next event was refused for too long: nothing is sent until `payrelay events resend`.",
                events?.deadLettered),
            ScrapedFamily(
                "payrelay_events_undelivered_payments",
                "Payments with events that the merchant's backend has not acknowledged, dead-lettered ones included.",
                events?.undelivered),
            ScrapedFamily(
                "payrelay_hints_oldest_seconds",
                "Age of the oldest gateway hint not investigated yet, in seconds; 0 if there is none.",
                hints.map { $0.oldest.map { max(0, Int(moment.timeIntervalSince($0))) } ?? 0 }),
            ScrapedFamily(
                "payrelay_hints_waiting", "References that a gateway hinted at and that are not investigated yet.",
                hints?.count),
            ScrapedFamily(
                "payrelay_http_requests_under_way",
                "Requests to the public listener until they are answered, and payments that are carried on after their answer.",
                requestsUnderWay),
            ScrapedFamily("payrelay_instances", "Instances that are alive on this journal.", instances),
            ScrapedFamily(
                "payrelay_journal_durability_gap", .gauge,
                "1 if the database could lose what it reported as durable: it waits for none of its replicas, or not for its disk.",
                durabilityGaps.map { gaps in
                    DurabilityGap.allCases.map { ($0, gaps.contains($0) ? 1 : 0) }
                } ?? []),
            ScrapedFamily(
                "payrelay_last_reload_successful", .gauge,
                "1, or 0 if files were faulty at the last SIGHUP and their previous version is in use.",
                reloads.map { ($0.part, $0.succeeded ? 1 : 0) }),
            ScrapedFamily(
                "payrelay_log_lines_dropped_total", .counter,
                "Lines of the log that were dropped, because whatever reads standard error was slower than they came.",
                [(NoLabels(), Double(logLinesDropped))]),
            ScrapedFamily(
                "payrelay_own_certificate_days_left", .gauge,
                "Days until the certificates expire that the relay shows: to clients, operators and Apple's session hosts.",
                [
                    ("admin_listener", adminCertificateEnd), ("listener", listenerCertificateEnd),
                    ("merchant_identity", merchantIdentityEnd),
                ].compactMap { name, end in
                    end.map { (TextLabel<CertificateLabel>(name), daysLeft(until: $0)) }
                }),
            ScrapedFamily(
                "payrelay_payments_open", "Payments whose outcome, or an operation's on them, is open.", open?.count),
            ScrapedFamily(
                "payrelay_payments_open_oldest_seconds",
                "Age of the oldest open payment, in seconds; 0 if there is none.",
                open.map { $0.oldest.map { max(0, Int(moment.timeIntervalSince($0))) } ?? 0 }),
            ScrapedFamily(
                "payrelay_payments_overdue", "Open payments that PAYRELAY_OVERDUE_AFTER_SECONDS have passed for.",
                open?.overdue),
            ScrapedFamily(
                "payrelay_token_certificate_days_left", .gauge,
                "Days until the newest certificates seen in valid tokens expire; absent until there was one.",
                certificateDaysLeft.map {
                    [
                        (TextLabel<CertificateLabel>("intermediate"), Double($0.intermediate)),
                        (TextLabel("leaf"), Double($0.leaf)),
                    ]
                } ?? []),
            ScrapedFamily(
                "payrelay_token_chain_lookups_total", .counter,
                "Tokens that were like a known one (hit), and those that went through OpenSSL (miss).",
                chainCacheUse.map {
                    [
                        (TextLabel<ResultLabel>("hit"), Double($0.hits)),
                        (TextLabel("miss"), Double($0.misses)),
                    ]
                } ?? []),
        ]
    }

    /// Returns one series for each key. A certificate that was renewed with the same key shares the series of the
    /// old certificate, and the later moment is used.
    private func values(ofEach moment: (CertificateEnd) -> Date?) -> [(labels: CertificateEndLabels, value: Double)] {
        var latest: [CertificateEndLabels: Double] = [:]
        for end in certificateEnds {
            guard let seconds = moment(end)?.timeIntervalSince1970 else { continue }
            let labels = CertificateEndLabels(kind: end.kind, publicKeyHash: end.publicKeyHash)
            latest[labels] = max(latest[labels] ?? seconds, seconds)
        }
        return latest.map { (labels: $0.key, value: $0.value) }.sorted {
            $0.labels.values.joined() < $1.labels.values.joined()
        }
    }

    /// Returns the number of whole days; negative after the end.
    private func daysLeft(until end: Date) -> Double {
        (end.timeIntervalSince(moment) / 86_400).rounded(.down)
    }
}
