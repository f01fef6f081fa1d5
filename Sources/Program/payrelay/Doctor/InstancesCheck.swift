import GatewayModule

/// Reports the number of live instances on the journal, and the sums of their limits.
struct InstancesCheck {
    let instances: Int
    /// The name of each gateway, and its limit of requests in flight according to the setting.
    let limits: [(gateway: String, requestsInFlight: Int)]
    let sharesLimits: Bool

    var diagnostic: Diagnostic {
        let sums = limits.map { limit in
            "\(sharesLimits ? limit.requestsInFlight : limit.requestsInFlight * max(1, instances)) to \(limit.gateway)"
        }
        let detail =
            switch instances {
            case 0: "none is alive on this journal"
            case 1: "one is alive on this journal"
            default:
                "\(instances) are alive on this journal; requests in flight of all of them: \(sums.joined(separator: ", "))"
            }
        return .pass("instances", detail)
    }
}
