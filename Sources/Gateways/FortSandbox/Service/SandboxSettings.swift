import PayrelayPrimitives

/// Settings that `/_sandbox/…` shows and changes.
extension FortSandbox {
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
