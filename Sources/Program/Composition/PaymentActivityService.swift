import FoundationEssentials
import RelayServer
import ServiceLifecycle

/// A service that samples the payment metrics once a minute, for the console's charts.
struct PaymentActivityService: Service {
    let activity: PaymentActivity

    private static let interval = Duration.seconds(60)

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { activity.sample(at: Date()) }
        }
    }
}
