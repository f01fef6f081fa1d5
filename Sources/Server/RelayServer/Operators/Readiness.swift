/// Whether the instance is ready for requests: it listens, its journal records durably now, and it is not about to stop.
///
/// The gateway's state does not count: to take instances out of the load balancer would not bring it back.
struct Readiness {
    let isListening: Bool
    let isDraining: Bool
    let canRecord: Bool

    var isReady: Bool { isListening && canRecord && !isDraining }

    /// For `/ready`.
    var word: String {
        isDraining ? "draining" : !isListening ? "starting" : canRecord ? "ready" : "not ready"
    }
}
