import PayrelayPrimitives
import SandboxParts

extension ExchangeLog {
    /// Records a request from the relay to a gateway's sandbox, with the text that was signed and the sandbox's
    /// reply.
    func record(_ exchange: GatewayExchange) {
        let (response, remark) = exchange.reply.shown
        record(
            RecordedExchange(
                exchange.merchantReference, .gateway(exchange.gateway),
                [
                    ("request", .string(exchange.request)),
                    ("signed_text", exchange.signed.map { .string($0.text) }),
                    ("signature_type", exchange.signed.map { .string($0.type) }),
                    ("response", response.map { .string(String(decoding: $0, as: UTF8.self)) }),
                    ("remark", remark.map { .string($0) }),
                ]))
    }
}

extension SandboxReply {
    /// The bytes that the relay received, and a remark on the fault of the reply; `nil` if absent.
    fileprivate var shown: (bytes: [UInt8]?, remark: String?) {
        switch self {
        case .answer(let bytes): (bytes, nil)
        case .late(let bytes, let seconds): (bytes, "sent after \(seconds) s")
        case .half(let bytes): (Array(bytes.prefix(bytes.count / 2)), "half of the answer; then the connection closed")
        case .silence: (nil, "no answer")
        case .reset: (nil, "the connection was reset")
        case .failure: (nil, "the status 500, with a body that is not the gateway's")
        }
    }
}
