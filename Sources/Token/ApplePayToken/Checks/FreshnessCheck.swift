import PayrelayPrimitives

import struct FoundationEssentials.Date

/// Checks that the signing time is within the window before *or* after the moment of verification (Apple's step
/// 1.e). An old token may be a replay. A token from the future could be replayed until its time comes.
enum FreshnessCheck {
    static func judge(_ signingTime: Date, at moment: Moment, window: Duration) throws(CheckFailure) -> CheckResult<
        Void
    > {
        guard case .instant(let now) = moment else { return CheckResult("judged at the signing time itself, as asked") }
        let age = now.timeIntervalSince(signingTime)
        guard abs(age) <= window / .seconds(1) else {
            throw CheckFailure(
                "signed at \(signingTime.rfc3339), \(Int(abs(age).rounded()).counting("second")) "
                    + "\(age > 0 ? "before" : "after") \(now.rfc3339); allowed are \(window.wholeSeconds), either way")
        }
        return CheckResult(
            "signed \(Int(abs(age).rounded()).counting("second")) \(age < 0 ? "after" : "before") \(now.rfc3339)")
    }
}
