import FoundationEssentials
import PaymentRelay

/// The source of a history entry in words, followed by a name if there is one.
struct SourceWords {
    let text: String
    let name: String?

    /// - Parameter gateway: the gateway's title.
    init(_ entry: HistoryEntry, at gateway: String) {
        let name = entry.operatorName
        switch entry.source {
        case nil: (text, self.name) = (name == nil ? "Its source was not recorded" : "By the operator", name)
        case .client(let client?): (text, self.name) = ("In a request of the client", client)
        case .client(nil): (text, self.name) = ("In a client's request", nil)
        case .operator(let name): (text, self.name) = ("By the operator", name)
        case .gatewayAnswer:
            // There was no answer; the entry's reason says why.
            let what =
                entry.state.isOpen || entry.state == .notSent ? "From the request to \(gateway)" : "\(gateway)'s answer"
            (text, self.name) = (name == nil ? what : "\(what), for the operator", name)
        case .checkStatus(let requester):
            (text, self.name) = ("\(gateway)'s answer to a status query, requested \(requester.words)", requester.name)
        case .recovery: (text, self.name) = ("By the relay: the process that sent the request had stopped", nil)
        case .retention: (text, self.name) = ("By the relay: the time for which customer data is kept is over", nil)
        case .commandLine: (text, self.name) = ("By a command on the machine", nil)
        }
    }
}

extension StatusRequester {
    /// The words that follow "asked".
    fileprivate var words: String {
        switch self {
        case .reconciler: "by the relay"
        case .client(nil): "by a client"
        case .client: "by the client"
        case .operator: "by the operator"
        case .commandLine: "by a command on the machine"
        case .report: "to confirm the gateway's report"
        case .notification(let kind): "by the relay after the gateway's notification (\(kind.rawValue))"
        }
    }

    fileprivate var name: String? { clientName ?? operatorName }
}

extension QueryWithoutChange {
    func view(at gateway: String) -> View {
        [
            "requester": .text(requester.words), "name": View(requester.name),
            "times": .text(times == 1 ? "once" : "\(times) times"),
            "first": times == 1 ? .none : View(first), "last": View(last), "answer": .text(answer.words),
            "reason": View(reason),
        ]
    }
}

extension QueryWithoutChange.Answer {
    var words: String {
        switch self {
        case .open: "still open"
        case .unchanged: "nothing new"
        case .unanswered: "no answer"
        case .implausible: "an answer that proves nothing"
        case .contradictory: "an answer that settles nothing and needs an operator"
        // The reason says that the gateway could not be reached, and why.
        case .notSent: "nothing was sent"
        }
    }
}
