import AccessControl
import Console
import FortAPI
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// The page `GET /console/codes` with FORT's codes, and a page for each code.
struct CodeScreen: Sendable {
    var screens: [Screen] {
        [
            Screen(.get, "/console/codes", .look, respond: list),
            Screen(.get, "/console/codes/{code}", .look) { request in
                try answer(FortCodeEntry(request.pathCode ?? ""), request)
            },
            Screen(.get, "/console/codes/acquirer/{code}", .look) { request in
                try answer(FortCodeEntry(acquirerCode: request.pathCode ?? ""), request)
            },
        ]
    }

    @Sendable private func list(_ request: ScreenRequest) throws -> ConsoleAnswer {
        let wanted = request.query["code"]
        if let entry = wanted.flatMap({ FortCodeEntry($0) }) { return .redirect(to: Self.path(of: entry)) }
        return .page(
            Page(
                status: wanted == nil ? .ok : .notFound, template: "codes", title: "FORT codes", menu: "FORT codes",
                view: [
                    "wanted": View(wanted), "statuses": rows(FortCodeEntry.all.filter { $0.kind == .status }),
                    "messages": rows(FortCodeEntry.all.filter { $0.kind == .message }),
                    "acquirers": rows(FortCodeEntry.ofAcquirers),
                ]))
    }

    private func answer(_ entry: FortCodeEntry?, _ request: ScreenRequest) throws(ConsoleError) -> ConsoleAnswer {
        guard let entry else {
            throw ConsoleError(
                status: .notFound, title: "FORT's documentation lists no such code",
                detail: "A response_code has five digits, a status two, a message three.")
        }
        var parts: [View] = []
        if entry.kind == .response {
            parts = [
                [
                    "kind": "status", "code": .text(String(entry.code.prefix(2))),
                    "link": .text("/console/codes/\(entry.code.prefix(2))"), "text": View(entry.texts.first),
                ],
                [
                    "kind": "message", "code": .text(String(entry.code.suffix(3))),
                    "link": .text("/console/codes/\(entry.code.suffix(3))"), "text": View(entry.texts.last),
                ],
            ]
        }
        return .page(
            Page(
                template: "code", title: "\(entry.kind.title) \(entry.code)", menu: "FORT codes",
                view: [
                    "heading": .text("\(entry.kind.title) \(entry.code)"), "parts": View(parts),
                    "texts": View(entry.kind == .response ? [] : entry.texts.map { .text($0) }),
                    "class": View(entry.class?.rawValue.replacingEach("_", with: " ")),
                    "explanation": View(entry.class?.explanation), "relay": View(entry.class?.whatTheRelayDoes),
                    "advice": View(entry.advice),
                    "happened": .text(entry.sentences.whatHappened),
                    "customer": .text(entry.sentences.customerSentence(in: .english)),
                    "customerArabic": .text(entry.sentences.customerSentence(in: .arabic)),
                    "isAcquirers": entry.kind == .acquirer ? "yes" : .none,
                ]))
    }

    private func rows(_ entries: [FortCodeEntry]) -> View {
        View(
            entries.map { entry in
                [
                    "code": .text(entry.code), "link": .text(Self.path(of: entry)),
                    "text": .text(entry.texts.joined(separator: "; or: ")),
                ]
            })
    }

    static func path(of entry: FortCodeEntry) -> String {
        "/console/codes/\(entry.kind == .acquirer ? "acquirer/" : "")\(Links.encoded(entry.code))"
    }
}

extension FortCodeEntry.Kind {
    fileprivate var title: String {
        switch self {
        case .response: "Response code"
        case .status: "Status"
        case .message: "Message"
        case .acquirer: "Acquirer's code"
        }
    }
}
