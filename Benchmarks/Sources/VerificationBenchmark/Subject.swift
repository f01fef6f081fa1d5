import CVerification

/// Something to be measured. `run` says whether what it verified is valid: a subject that fails measures nothing.
struct Subject {
    let name: String
    let run: () -> Bool
}

extension Subject {
    /// Nanoseconds for one run, over so many: of this thread on a core, so that what the machine does beside it does not
    /// count.
    func nanoseconds(repeating count: Int) -> Double {
        let start = thread_nanoseconds()
        for _ in 0..<count {
            guard run() else { fatalError("\(name) does not verify") }
        }
        return Double(thread_nanoseconds() - start) / Double(count)
    }
}
