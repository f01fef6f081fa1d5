import Synchronization
import UnderWay

/// A request that is under way: it counts as such, and has its slot, for as long as something holds it. That is until its response was
/// sent, or was given up, and until what goes on for it after the response has ended.
final class RequestUnderWay: Sendable {
    private let requests: WorkUnderWay
    private let slot = Mutex<Slots<RequestSender>.Slot?>(nil)

    init(_ requests: WorkUnderWay) {
        self.requests = requests
        requests.enter()
    }

    deinit { requests.leave() }

    /// Takes a slot for the request, and gives back the one that it had.
    ///
    /// - Throws: ``Problem`` 503 if there is none.
    func takeSlot(_ request: AdmittedRequest) throws(Problem) {
        let new = try request.takeSlot()
        slot.withLock { $0 = new }
    }
}
