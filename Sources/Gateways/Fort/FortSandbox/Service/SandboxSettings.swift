import PayrelayPrimitives

/// The settings that `/_sandbox/…` shows and changes.
extension FortSandbox {
    /// The settings of references, in the answer to `GET /_sandbox/references`.
    var referencesAsJSON: JSON {
        get async { ["another_try_after_decline": .bool(await books.takesAnotherTry)] }
    }

    /// Changes the settings of references.
    ///
    /// - Parameter json: the body of `PUT /_sandbox/references`.
    /// - Throws: ``ValidationErrors`` with every error in the settings. Nothing is changed then.
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
