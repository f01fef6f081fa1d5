import CLinux
import ServiceLifecycle

/// A service that returns free memory to the system once a minute.
///
/// glibc by itself returns only the memory at the end of its heaps. After a moment in which a gateway or the disk
/// hangs and hundreds of requests wait, the process would keep its maximum size for ever.
struct FreeMemoryService: Service {
    private static let interval = Duration.seconds(60)

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { payrelay_malloc_trim() }
        }
    }
}
