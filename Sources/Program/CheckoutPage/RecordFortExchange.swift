public import FortAPI
public import FortSandbox
public import PayrelayPrimitives
import SandboxParts

extension ExchangeLog {
    /// Records a request of the relay to the sandbox, with the text that was signed, and the sandbox's reply.
    ///
    /// - Parameter accounts: the sandbox's, whose phrases are public.
    public func record(_ exchange: SandboxExchange, of accounts: FortAccounts) {
        guard let parameters = (try? JSON(parsing: exchange.request))?.objectValue,
            let reference = parameters["merchant_reference"]?.stringValue
        else { return }
        let account = parameters["access_code"]?.stringValue.flatMap { accounts.entry(identifiedBy: $0) }?.account
        let (response, remark) = exchange.reply.shown
        record(
            RecordedExchange(
                reference, .fort,
                [
                    ("request", .string(String(decoding: exchange.request, as: UTF8.self))),
                    (
                        "signed_text",
                        account.map { .string(CanonicalText(of: parameters).exposed(within: $0.requestPhrase)) }
                    ),
                    ("signature_type", account.map { .string($0.signatureType.rawValue) }),
                    ("response", response.map { .string(String(decoding: $0, as: UTF8.self)) }),
                    ("remark", remark.map { .string($0) }),
                ]))
    }
}

extension FortSandbox.Reply {
    /// The bytes that the relay received, and a remark on the fault of the reply; each nil if absent.
    fileprivate var shown: (bytes: [UInt8]?, remark: String?) {
        switch self {
        case .answer(let bytes): (bytes, nil)
        case .late(let bytes, let seconds): (bytes, "sent after \(seconds) seconds")
        case .half(let bytes): (Array(bytes.prefix(bytes.count / 2)), "half of the answer; then the connection closed")
        case .silence: (nil, "no answer")
        case .reset: (nil, "the connection was reset")
        case .failure: (nil, "the status 500, with a body that is not FORT's")
        }
    }
}
