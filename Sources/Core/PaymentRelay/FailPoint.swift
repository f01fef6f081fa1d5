#if DEBUG
import FoundationEssentials
import PayrelayPrimitives
import Synchronization

import Glibc
#endif

/// A step of a payment at which a debug build can be killed as by `kill -9`. `PAYRELAY_FAIL_POINT=sent` kills the
/// process when it reaches that step for the first time, `PAYRELAY_FAIL_POINT=sent:3` when it does for the third
/// time.
///
/// In a release build, reaching a step does nothing, and the variable is refused as an unknown setting.
package enum FailPoint: Sendable {
    /// The claim is durable, and nothing was sent.
    case claimed
    /// The request is on its way to the gateway, or is being written or answered.
    case sent
    /// The gateway's answer is verified and not yet journaled.
    case answered
    /// The outcome is journaled, and the client is not yet answered.
    case settled
    /// The journal is writing a change. SQLite has run the statements and has not committed them. With PostgreSQL the
    /// server may have committed them already.
    case committing
    /// Rows are in the archive's file, and the file's transaction is not committed.
    case archiving
    /// Rows are in the archive's file, durable and compared, and the journal still has all of them.
    case archived
    /// A part of a journal was copied, and not all of the copy was compared.
    case copying

    /// Reports that the process has reached this step.
    @inline(__always)
    package func reach() {
        #if DEBUG
        if let armed = ArmedFailPoint.current, armed.point == self { armed.countDown() }
        #endif
    }

    /// Reports, at a random moment within 20 milliseconds, that the process has reached this step.
    @inline(__always)
    package func reachSoon() {
        #if DEBUG
        guard ArmedFailPoint.current?.point == self else { return }
        Task.detached {
            try? await Task.sleep(for: .microseconds(Int.random(in: 0...20_000)))
            reach()
        }
        #endif
    }

    /// Whether a name is the name of the environment variable, and this build has fail points.
    package static func isSetting(_ name: String) -> Bool {
        #if DEBUG
        name == ArmedFailPoint.setting
        #else
        false
        #endif
    }
}

#if DEBUG
extension FailPoint: CaseIterable {}

/// The step at which this process is to be killed, and how many times it reaches the step until then.
private final class ArmedFailPoint: Sendable {
    static let setting = "PAYRELAY_FAIL_POINT"
    static let current = ProcessInfo.processInfo.environment[setting].map(ArmedFailPoint.init)

    let point: FailPoint
    private let remaining: Atomic<Int>

    init(_ text: String) {
        let parts = text.parts(at: ":", max: 2)
        guard let point = FailPoint.allCases.first(where: { "\($0)" == parts[0] }),
            let count = parts.count == 1 ? 1 : Int(parts[1]), count > 0
        else {
            // It is safe to end the process: only debug builds have fail points, and a misspelt one would test
            // nothing.
            fatalError("\(Self.setting) is not the name of a fail point, or NAME:COUNT: \(text)")
        }
        self.point = point
        remaining = Atomic(count)
    }

    func countDown() {
        if remaining.subtract(1, ordering: .relaxed).newValue == 0 { kill(getpid(), SIGKILL) }
    }
}
#endif
