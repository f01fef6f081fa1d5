import CMalloc
import ServiceLifecycle

/// Gives memory that is free back to the system, once a minute.
///
/// By itself glibc gives back only what lies at the end of its heaps. A moment in which a gateway or the disk stands still, and hundreds
/// of requests wait, would leave the process at its largest for good.
struct FreeMemoryService: Service {
    private static let interval = Duration.seconds(60)

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { payrelay_malloc_trim() }
        }
    }
}
