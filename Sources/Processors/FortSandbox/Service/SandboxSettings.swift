import PayrelayPrimitives
import SandboxParts

/// Settings that `/_sandbox/…` shows and changes.
extension FortSandbox {
    /// As `GET /_sandbox/faults` has them.
    var faultsAsJSON: JSON { faults.json }

    /// - Parameter json: as `PUT /_sandbox/faults` takes them.
    /// - Throws: ``ValidationErrors`` with everything that is wrong with them; nothing is changed then.
    func setFaults(_ json: JSON) throws(ValidationErrors) { faults = try FaultSchedule(json: json) }

    /// The settings of feedback, and the counts of its messages, as `GET /_sandbox/feedback` has them.
    var feedbackAsJSON: JSON {
        var json = (feedback ?? FeedbackSettings(directURL: nil, notificationURL: nil)).json
        for (name, value) in sender.counts.members { json[name] = value }
        return .object(json)
    }

    /// - Parameter json: as `PUT /_sandbox/feedback` takes it.
    /// - Throws: ``ValidationErrors`` with everything that is wrong with it; nothing is changed then.
    func setFeedback(_ json: JSON) throws(ValidationErrors) { feedback = try FeedbackSettings(json: json) }

    /// The settings of references, as `GET /_sandbox/references` has them.
    var referencesAsJSON: JSON {
        get async { ["another_try_after_decline": .bool(await books.takesAnotherTry)] }
    }

    /// - Parameter json: as `PUT /_sandbox/references` takes it.
    /// - Throws: ``ValidationErrors`` with everything that is wrong with it; nothing is changed then.
    func setReferences(_ json: JSON) async throws(ValidationErrors) {
        let name = "another_try_after_decline"
        var settings = JSONFieldReader(json, knowing: [name])
        var takes = false
        switch settings.value(name) {
        case nil: break
        case .bool(let isTrue)?: takes = isTrue
        default: settings.add(name, "must be true or false")
        }
        guard settings.errors.isEmpty else { throw ValidationErrors(settings.errors) }
        await books.setTakesAnotherTry(takes)
    }
}
