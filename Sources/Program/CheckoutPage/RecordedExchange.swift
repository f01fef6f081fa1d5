import PayrelayPrimitives

/// A request and its response, as text.
struct RecordedExchange: Sendable {
    enum Party: Sendable, Equatable {
        /// A client asked the relay. Its name; nil where clients are not authenticated.
        case client(String?)
        /// The relay asked FORT.
        case fort
    }

    let merchantReference: String
    let party: Party
    let json: JSONObject
    /// Of its texts together.
    let bytes: Int

    init(_ merchantReference: String, _ party: Party, _ members: [(name: String, value: JSON?)]) {
        self.merchantReference = merchantReference
        self.party = party
        var json: JSONObject = ["with": party == .fort ? "fort" : "client"]
        for member in members { json[member.name] = member.value }
        self.json = json
        bytes = json.members.reduce(0) { $0 + ($1.value.stringValue?.utf8.count ?? 0) }
    }
}
