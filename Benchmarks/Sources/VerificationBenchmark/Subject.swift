import CVerification

/// A verification to be measured. `run` returns whether the verified token is valid: a subject that fails measures nothing.
struct Subject {
    let name: String
    let run: () -> Bool
}

extension Subject {
    /// Returns the nanoseconds for one run, averaged over `count` runs. It counts the CPU time of this thread, so that other
    /// work of the machine does not count.
    func nanoseconds(repeating count: Int) -> Double {
        let start = thread_nanoseconds()
        for _ in 0..<count {
            guard run() else { fatalError("\(name) does not verify") }
        }
        return Double(thread_nanoseconds() - start) / Double(count)
    }
}
