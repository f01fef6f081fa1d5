import PayrelayPrimitives

/// The changes in the sheet that wait for the app's answer. The app is asked about one after another, in the order in which they
/// came, so that its backend keeps what was chosen last.
struct SheetChanges {
    /// The app is asked about the first.
    private var waiting: [Int] = []
    /// Whether the first has its answer, which the sheet does not show yet.
    private var isAnswered = false
    /// Whether the last answer was no.
    private var isRefused = false

    /// Whether the sheet shows what the app agreed to, for all that the customer has chosen.
    var isAgreed: Bool { waiting.isEmpty && !isRefused }

    /// Returns the change that the app is to be asked about now.
    mutating func add(_ number: Int) -> Int? {
        waiting.append(number)
        return waiting.count == 1 ? number : nil
    }

    /// Whether an answer may still come. None counts that comes after another.
    func awaitsAnswer(to number: Int) -> Bool {
        waiting.contains(number) && !(isAnswered && waiting.first == number)
    }

    /// Returns whether the sheet is to show it.
    mutating func answer(_ number: Int, isAgreed: Bool) -> Bool {
        guard waiting.first == number, !isAnswered else { return false }
        isAnswered = true
        isRefused = !isAgreed
        return true
    }

    /// The sheet shows the answer. Returns the change that the app is to be asked about next.
    mutating func shown(_ number: Int) -> Int? {
        guard waiting.first == number, isAnswered else { return nil }
        waiting.removeFirst()
        isAnswered = false
        return waiting.first
    }

    /// Returns those that have no answer, which are then over.
    mutating func end() -> [Int] {
        defer { waiting = [] }
        return waiting
    }
}

/// What the app agreed to for the total that the sheet shows.
struct SheetAgreement: Sendable {
    let amount: MinorUnits
    let orderToken: String
}

/// Why what the customer authorized is not sent.
enum SheetChangeFailure: Error {
    /// The app has not agreed to the last change in the sheet, or the sheet does not show the new total yet.
    case notAgreed
}
