import AccessControl
import FoundationEssentials
import HTTPTypes
import Observability
import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// `GET /console/health`: the relay's state, and when its certificates expire.
struct HealthScreen: Sendable {
    let health: @Sendable () async -> OperatorsHealth

    @Sendable func show(_ request: ScreenRequest) async -> ConsoleAnswer {
        let health = await health()
        let now = Date()
        var certificates: [View] = []
        for end in health.certificates {
            let days = Int((end.notAfter.timeIntervalSince(now) / 86_400).rounded(.down))
            let use = end.lastSeen.map { ", last used on \($0.text)" } ?? ""
            certificates.append(certificate("\(end.kind.title): \(end.subject)\(use)", days, end.notAfter))
        }
        if let days = health.tokenCertificateDaysLeft {
            certificates.append(certificate("Apple's certificates, in the newest valid token", days, nil))
        }
        return .page(
            Page(
                template: "health", title: "Health", menu: "Health",
                view: [
                    "rows": View(rows(health).map { .parts($0) }),
                    "activity": ActivityCharts(minutes: health.minutes, now: now, zone: request.zone ?? .utc).view,
                    "certificates": View(certificates),
                    "hasCertificates": .flag(!certificates.isEmpty),
                    "version": .text("\(BuildInfo.current.version) (\(BuildInfo.current.configuration))"),
                ]))
    }

    private func rows(_ health: OperatorsHealth) -> [[String: View]] {
        func row(_ name: String, _ value: String, _ tone: String, oldest: Date? = nil) -> [String: View] {
            ["name": .text(name), "value": .text(value), "tone": .text(tone), "since": View(oldest)]
        }
        var rows = [
            row(
                "Journal", health.canRecord ? "Records" : "Cannot record: no payment is accepted",
                health.canRecord ? "good" : "bad")
        ]
        rows += health.durabilityGaps.map { row("Database", $0.sentence.capitalizedASCII, "bad") }
        for account in health.accounts {
            var shown = row(
                "\(account.gateway), account \(account.account)", account.sentence, account.state.tone)
            shown["lastAnswer"] = View(account.lastAnswer)
            rows.append(shown)
        }
        rows.append(row("Requests under way", "\(health.requestsUnderWay)", "quiet"))
        if let open = health.open {
            rows.append(
                row(
                    "Open payments", "\(open.count), of which \(open.overdue) are overdue",
                    open.overdue > 0 ? "bad" : open.count > 0 ? "open" : "good", oldest: open.oldest))
        } else {
            rows.append(row("Open payments", "The journal could not be read", "bad"))
        }
        if let events = health.events {
            rows.append(
                row(
                    "Payments with undelivered events",
                    "\(events.undelivered), of which \(events.deadLettered) are dead-lettered",
                    events.deadLettered > 0 ? "bad" : events.undelivered > 0 ? "open" : "good", oldest: events.oldest))
        }
        return rows
    }

    private func certificate(_ name: String, _ days: Int, _ end: Date?) -> View {
        [
            "name": .text(name), "end": View(end),
            "days": .text(days < 0 ? "has ended" : "\(days.counting("day")) left"),
            "tone": .text(days < 0 ? "bad" : days < 30 ? "open" : "good"),
        ]
    }
}

extension CertificateEnd.Kind {
    fileprivate var title: String {
        switch self {
        case .listener: "The listener for apps"
        case .adminListener: "The listener for operators"
        case .merchantIdentity: "Merchant identity, for Apple Pay on the web"
        case .paymentProcessing: "Payment processing"
        }
    }
}
