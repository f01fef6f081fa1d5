import Synchronization
import UnderWay

/// A request that is under way. It counts as such, and keeps its slot, as long as any reference to this object
/// exists: until its response was sent or abandoned, and until work that continues after the response has ended.
final class RequestUnderWay: Sendable {
    private let requests: WorkUnderWay
    private let slot = Mutex<Slots<RequestSender>.Slot?>(nil)

    init(_ requests: WorkUnderWay) {
        self.requests = requests
        requests.enter()
    }

    deinit { requests.leave() }

    /// Takes a slot for the request, and returns the slot that the request had before.
    ///
    /// - Throws: ``Problem`` 503 if no slot is free.
    func takeSlot(_ request: AdmittedRequest) throws(Problem) {
        let new = try request.takeSlot()
        slot.withLock { $0 = new }
    }
}
