/// Why a check failed; it becomes the check's detail.
struct CheckFailure: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// The result of a passed check: a value that later checks build upon, and a sentence about it.
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

/// Makes checks and records their verdicts. A check gets the results of earlier ones; where one is missing the check is skipped, so
/// nothing passes by default (S2).
struct CheckList {
    private(set) var checks: [Check] = []

    init() {
        checks.reserveCapacity(CheckName.allCases.count)
    }

    var allPassed: Bool {
        checks.allSatisfy { $0.verdict == .passed }
    }

    /// Makes a check only where a setting or the order asks for it.
    ///
    /// - Parameters:
    ///   - question: what to check against; nil where neither a setting nor the order asks.
    ///   - missing: what would have to be there for the check to be made.
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

    /// - Parameter evidence: what the check builds upon; nil where an earlier check did not establish it.
    /// - Returns: what the check established; nil where it failed or was skipped.
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
