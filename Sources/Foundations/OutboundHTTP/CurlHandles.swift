/// The easy handles of a client. Handles are reused, so there are only as many as were ever in use at once.
struct CurlHandles {
    private let settings: OutboundSettings
    private var idle: [CurlEasy] = []
    private var count = 0

    init(_ settings: OutboundSettings) {
        self.settings = settings
    }

    /// Takes an idle handle or creates a new one. Prefers one of the last used handles whose options fit the
    /// request.
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

    /// Makes a handle available for further requests.
    ///
    /// - Parameter easy: a handle that is not in a multi handle.
    mutating func giveBack(_ easy: CurlEasy) {
        idle.append(easy)
    }
}
