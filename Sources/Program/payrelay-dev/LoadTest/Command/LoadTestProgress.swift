import CommandLineParts

/// Prints the progress of a load test.
final class LoadTestProgress: Sendable {
    private let line = ProgressLine()

    func show(_ progress: LoadSession.Progress) {
        switch progress {
        case .preparing(let count, let all):
            let isLast = count == all
            if isLast || line.isDue() { line.write("minting tokens: \(count) of \(all)", stays: isLast) }
        case .running(let recording): line.write(recording.progressLine, stays: false)
        case .step(let step): line.write("\(step)", stays: true)
        case .auditing: line.write("reading the books", stays: true)
        }
    }
}
