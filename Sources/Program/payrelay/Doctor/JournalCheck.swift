import Composition
import FoundationEssentials
import GatewayModule
import PaymentRelay

/// Checks whether the journal can record durably, and how long that takes. A payment waits for it twice.
struct JournalCheck {
    private let place: JournalPlace

    init(_ place: JournalPlace) {
        self.place = place
    }

    func diagnostics() async -> [Diagnostic] {
        let backup = Diagnostic.unknown(
            "backup", "no program can see whether the journal is backed up",
            advice: "Back it up and try a restore: docs/runbook.md.")
        switch place {
        case .memory:
            return [
                .fail(
                    "journal", "it is in memory: a restart loses every payment",
                    advice: "Set PAYRELAY_JOURNAL to sqlite:PATH or to a postgres:// URL.")
            ]
        case .sqlite(let path):
            guard FileManager.default.fileExists(atPath: path) || place.isLost else {
                return await besides(path) + [backup]
            }
            return await opened() + [filesOpenToOthers].compactMap { $0 } + [backup]
        case .postgres: return await opened() + [backup]
        }
    }

    private var filesOpenToOthers: Diagnostic? {
        let files = place.filesOpenToOthers
        guard !files.isEmpty else { return nil }
        return .fail(
            "journal-files", "others than their owner may read or write: \(files.joined(separator: ", "))",
            advice: "chmod 600")
    }

    /// Checks an existing journal, which a relay may have open.
    private func opened() async -> [Diagnostic] {
        do {
            return await measured(try await place.attach(), "it")
        } catch {
            return [
                .fail(
                    "journal", "it cannot be opened: \(error)", advice: "docs/runbook.md, The journal cannot be used.")
            ]
        }
    }

    /// Checks the place of a journal that does not exist yet: creates another journal in the same folder, and
    /// removes it afterwards.
    private func besides(_ path: String) async -> [Diagnostic] {
        let folder = URL(filePath: path).deletingLastPathComponent()
        let trial = folder.appending(path: ".payrelay-doctor-\(UUID().uuidString)")
        let file = trial.appending(path: "trial.sqlite").path
        do {
            try FileManager.default.createDirectory(at: trial, withIntermediateDirectories: false)
        } catch {
            return [
                .fail(
                    "journal", "\(path) does not exist, and its folder takes no files",
                    advice: "Make the folder, and let the relay's user write in it.")
            ]
        }
        defer { try? FileManager.default.removeItem(at: trial) }
        do {
            return await measured(
                try await JournalPlace.sqlite(path: file).open(), "\(path) does not exist yet; one in its folder")
        } catch {
            return [.fail("journal", "\(path) does not exist, and cannot be made: \(error)", advice: nil)]
        }
    }

    private static let trials = 20
    /// With a longer time, every payment takes noticeably longer.
    private static let slow = Duration.milliseconds(100)

    private func measured(_ journal: any Journal, _ subject: String) async -> [Diagnostic] {
        var times: [Duration] = []
        var gaps: [DurabilityGap] = []
        do throws(JournalError) {
            for _ in 0..<Self.trials {
                let start = ContinuousClock.now
                gaps = try await journal.checkDurability()
                times.append(start.duration(to: .now))
            }
        } catch {
            return [
                .fail(
                    "journal", "\(subject) cannot record: \(error)",
                    advice: "docs/runbook.md, The journal cannot be used.")
            ]
        }
        let durability = gaps.map {
            Diagnostic.fail("journal-durability", $0.sentence, advice: "docs/runbook.md, The database does not wait.")
        }
        times.sort()
        let (median, worst) = (times[times.count / 2], times[times.count - 1])
        let detail = "\(subject) records durably in \(Self.text(median)), at worst in \(Self.text(worst))"
        guard median <= Self.slow else {
            let slow = Diagnostic.fail(
                "journal", detail,
                advice: "A payment waits for it twice. Use a local disk, or a database that is nearer.")
            return [slow] + durability
        }
        return [.pass("journal", detail)] + durability
    }

    private static func text(_ duration: Duration) -> String {
        "\((duration / .milliseconds(1) * 10).rounded() / 10) ms"
    }
}
