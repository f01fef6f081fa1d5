import Foundation

/// FORT's `device_id`, for a backend that still requests SDK tokens from the relay: a random UUID of this
/// installation.
enum DeviceID {
    private static let key = "payrelay.device_id"

    static func ofThisInstallation(_ defaults: UserDefaults = .standard) -> String {
        if let kept = defaults.string(forKey: key), UUID(uuidString: kept) != nil { return kept }
        let device = UUID().uuidString
        defaults.set(device, forKey: key)
        return device
    }
}
