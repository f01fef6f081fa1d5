import ApplePayToken
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import PaymentRelay

/// Metrics in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4).
struct MetricsText {
    private(set) var text = ""

    /// - Parameter open: nil where the journal could not be read; then the figures are absent, which an alert can see.
    init(certificateDaysLeft: CertificatesSeen.DaysLeft?, open: OpenSummary?, at moment: Date) {
        gauge(
            "payrelay_token_certificate_days_left",
            "Days until the newest certificates seen in valid tokens expire; absent until there was one.",
            certificateDaysLeft.map {
                ["{certificate=\"leaf\"}": $0.leaf, "{certificate=\"intermediate\"}": $0.intermediate]
            })
        gauge(
            "payrelay_payments_open", "Payments whose outcome, or an operation's on them, is open.",
            open.map { ["": $0.count] })
        gauge(
            "payrelay_payments_open_oldest_seconds",
            "For how long the oldest of them has been open; 0 where there is none.",
            open.map { ["": $0.oldest.map { Int(moment.timeIntervalSince($0)) } ?? 0] })
        gauge(
            "payrelay_payments_overdue", "Open payments that PAYRELAY_OVERDUE_AFTER_SECONDS have passed for.",
            open.map { ["": $0.overdue] })
    }

    /// What is told of events, where they are delivered.
    ///
    /// - Parameter summary: nil where the journal could not be read.
    mutating func add(_ summary: EventSummary?, attempts: EventDelivery.Attempts, at moment: Date) {
        gauge(
            "payrelay_events_undelivered_payments",
            "Payments with events that the merchant's backend has not acknowledged, parked ones included.",
            summary.map { ["": $0.undelivered] })
        gauge(
            "payrelay_events_oldest_seconds",
            "For how long the one of them has waited that has waited longest; 0 where there is none.",
            summary.map { ["": $0.oldest.map { Int(moment.timeIntervalSince($0)) } ?? 0] })
        gauge(
            "payrelay_events_parked_payments",
            "Payments whose next event was refused for too long: nothing is sent until `payrelay events resend`.",
            summary.map { ["": $0.parked] })
        add(
            "counter", "payrelay_event_attempts_total", "Deliveries tried since the process started, by how they went.",
            [
                "{result=\"acknowledged\"}": attempts.acknowledged, "{result=\"refused\"}": attempts.refused,
                "{result=\"unanswered\"}": attempts.unanswered,
            ])
    }

    private mutating func gauge(_ name: String, _ help: String, _ values: [String: Int]?) {
        add("gauge", name, help, values)
    }

    private mutating func add(_ type: String, _ name: String, _ help: String, _ values: [String: Int]?) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (labels, value) in (values ?? [:]).sorted(by: { $0.key < $1.key }) { text += "\(name)\(labels) \(value)\n" }
    }
}

extension Response {
    init(metrics text: String) {
        self.init(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
