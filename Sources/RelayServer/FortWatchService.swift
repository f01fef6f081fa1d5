import FortAPI
import ServiceLifecycle

/// Looks, while FORT is taken for down, whether it is back.
struct FortWatchService: Service {
    let fort: GuardedTransport
    let endpoint: FortEndpoint
    let probe: FortMessage

    func run() async {
        await cancelWhenGracefulShutdown {
            await fort.watch(endpoint, with: probe)
        }
    }
}
