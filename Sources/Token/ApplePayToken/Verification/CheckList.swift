/// The reason why a check failed. It becomes the detail of the check.
struct CheckFailure: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// The result of a passed check: a value for later checks, and a sentence about it.
struct CheckResult<Value> {
    let value: Value
    let detail: String

    init(_ value: Value, _ detail: String) {
        self.value = value
        self.detail = detail
    }
}

extension CheckResult<Void> {
    init(_ detail: String) {
        self.init((), detail)
    }
}

/// Makes checks and records their verdicts. A check gets the results of earlier checks. If one of them is
/// missing, the check is skipped, so that nothing passes by default (S2).
struct CheckList {
    private(set) var checks: [Check] = []

    init() {
        checks.reserveCapacity(CheckName.allCases.count)
    }

    var allPassed: Bool {
        checks.allSatisfy { $0.verdict == .passed }
    }

    /// Makes a check only if a setting or the order requests it.
    ///
    /// - Parameters:
    ///   - question: the value to check against; `nil` if neither a setting nor the order requests the check.
    ///   - missing: the detail that says what is absent if the check is not requested.
    mutating func check<Question, Evidence>(
        _ name: CheckName, asked question: Question?, missing: String, given evidence: Evidence?,
        _ judge: (Evidence, Question) throws(CheckFailure) -> CheckResult<Void>
    ) {
        guard let question else {
            checks.append(Check(name: name, verdict: .notAsked, detail: missing))
            return
        }
        _ = check(name, given: evidence) { (evidence) throws(CheckFailure) in try judge(evidence, question) }
    }

    /// Makes a check.
    ///
    /// - Parameter evidence: the results of earlier checks that this check needs; `nil` if any of them is
    ///   missing.
    /// - Returns: the result of the check; `nil` if it failed or was skipped.
    mutating func check<Evidence, Value>(
        _ name: CheckName, given evidence: Evidence?, _ judge: (Evidence) throws(CheckFailure) -> CheckResult<Value>
    ) -> Value? {
        guard let evidence else {
            checks.append(Check(name: name, verdict: .skipped, detail: "not reached: a check before it failed"))
            return nil
        }
        do throws(CheckFailure) {
            let result = try judge(evidence)
            checks.append(Check(name: name, verdict: .passed, detail: result.detail))
            return result.value
        } catch {
            checks.append(Check(name: name, verdict: .failed, detail: error.reason))
            return nil
        }
    }
}
