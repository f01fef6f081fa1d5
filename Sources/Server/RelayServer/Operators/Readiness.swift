/// Whether the instance is ready for requests: it listens, its journal can record durably, and it is not about to
/// stop.
///
/// The gateway's state does not count, because taking instances out of the load balancer would not restore the
/// gateway.
struct Readiness {
    let isListening: Bool
    let isDraining: Bool
    let canRecord: Bool

    var isReady: Bool { isListening && canRecord && !isDraining }

    /// The state as `/ready` shows it.
    var word: String {
        isDraining ? "draining" : !isListening ? "starting" : canRecord ? "ready" : "not ready"
    }
}
