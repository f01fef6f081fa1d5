import HTTPListener
import Synchronization
import UnderWay

/// A request that is under way: it counts as such, and has its slot, for as long as something holds it. That is until its response was
/// sent, or was given up, and until what goes on for it after the response has ended.
final class RequestUnderWay: Sendable {
    private let requests: WorkUnderWay
    private let admitted = Mutex<AdmittedRequest?>(nil)

    init(_ requests: WorkUnderWay) {
        self.requests = requests
        requests.enter()
    }

    deinit {
        admitted.withLock { $0 }?.leaveSlot()
        requests.leave()
    }

    /// Takes a slot for the request, and gives back the one that it had.
    ///
    /// - Throws: ``Problem`` 503 if there is none.
    func takeSlot(_ request: AdmittedRequest) throws(Problem) {
        try request.takeSlot()
        let earlier = admitted.withLock { admitted in
            defer { admitted = request }
            return admitted
        }
        earlier?.leaveSlot()
    }
}
