import PayrelayPrimitives

/// A request and its response, as texts.
struct RecordedExchange: Sendable {
    enum Party: Sendable, Equatable {
        /// A client's request to the relay, with the client's name; `nil` if clients are not authenticated.
        case client(String?)
        /// A request from the relay to a gateway, with the gateway's name.
        case gateway(String)

        var isGateway: Bool { if case .gateway = self { true } else { false } }

        /// The name of the gateway, or "client".
        fileprivate var name: String {
            switch self {
            case .client: "client"
            case .gateway(let name): name
            }
        }
    }

    let merchantReference: String
    let party: Party
    let json: JSONObject
    /// The total size of its texts, in bytes.
    let bytes: Int

    init(_ merchantReference: String, _ party: Party, _ members: [(name: String, value: JSON?)]) {
        self.merchantReference = merchantReference
        self.party = party
        var json: JSONObject = ["with": .string(party.name)]
        for member in members { json[member.name] = member.value }
        self.json = json
        bytes = json.members.reduce(0) { $0 + ($1.value.stringValue?.utf8.count ?? 0) }
    }
}
