import ApplePayToken
import HTTPTypes
import Hummingbird
import NIOCore

/// Metrics in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4).
struct MetricsText {
    let text: String

    init(certificateDaysLeft: CertificatesSeen.DaysLeft?) {
        let name = "payrelay_token_certificate_days_left"
        var lines = [
            "# HELP \(name) Days until the newest certificates seen in valid tokens expire; absent until there was one.",
            "# TYPE \(name) gauge",
        ]
        if let days = certificateDaysLeft {
            lines.append("\(name){certificate=\"leaf\"} \(days.leaf)")
            lines.append("\(name){certificate=\"intermediate\"} \(days.intermediate)")
        }
        text = lines.map { $0 + "\n" }.joined()
    }
}

extension Response {
    init(metrics text: String) {
        self.init(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
