/// A client's easy handles, as many as were ever in use at once: those that are idle, and new ones.
struct CurlHandles {
    private let settings: OutboundSettings
    private var idle: [CurlEasy] = []
    private var count = 0

    init(_ settings: OutboundSettings) {
        self.settings = settings
    }

    /// Of the handles used last the one whose options the request can share; otherwise any.
    mutating func take(for request: OutboundRequest) throws(NotSent) -> CurlEasy {
        let few = 8
        if let place = idle.indices.suffix(few).last(where: { idle[$0].shape?.serves(request) == true }) {
            idle.swapAt(place, idle.count - 1)
        }
        if let easy = idle.popLast() { return easy }
        let easy = try CurlEasy(number: count, settings)
        count += 1
        return easy
    }

    /// - Parameter easy: in no multi handle.
    mutating func giveBack(_ easy: CurlEasy) {
        idle.append(easy)
    }
}
