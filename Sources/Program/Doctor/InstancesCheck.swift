import GatewayModule

/// How many instances are alive on the journal, and what their limits add up to.
struct InstancesCheck {
    let instances: Int
    /// Each gateway's name, and how many requests may be in flight to it by the setting.
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
