import PayrelayPrimitives

/// The changes in the sheet that wait for the app's answer. The app is queried about one change after another, in
/// the order in which they came, so that its backend ends up with the customer's last choice.
struct SheetChanges {
    /// The changes, in order. The app is queried about the first.
    private var waiting: [Int] = []
    /// Whether the first change has its answer, but the sheet does not show the answer yet.
    private var isAnswered = false
    /// Whether the app refused the last change.
    private var isRefused = false

    /// Whether the sheet shows the total that the app agreed to, for all of the customer's choices.
    var isAgreed: Bool { waiting.isEmpty && !isRefused }

    /// Adds a change. Returns the change that the app must be queried about now, if any.
    mutating func add(_ number: Int) -> Int? {
        waiting.append(number)
        return waiting.count == 1 ? number : nil
    }

    /// Returns whether the change still needs an answer. Only the first answer to a change counts.
    func awaitsAnswer(to number: Int) -> Bool {
        waiting.contains(number) && !(isAnswered && waiting.first == number)
    }

    /// Records an answer. Returns whether the sheet must show it.
    mutating func answer(_ number: Int, isAgreed: Bool) -> Bool {
        guard waiting.first == number, !isAnswered else { return false }
        isAnswered = true
        isRefused = !isAgreed
        return true
    }

    /// Records that the sheet shows the answer. Returns the change that the app must be queried about next, if
    /// any.
    mutating func shown(_ number: Int) -> Int? {
        guard waiting.first == number, isAnswered else { return nil }
        waiting.removeFirst()
        isAnswered = false
        return waiting.first
    }

    /// Ends all changes, and returns those that have no answer.
    mutating func end() -> [Int] {
        defer { waiting = [] }
        return waiting
    }
}

/// The amount and the order token that the app agreed to for the total in the sheet.
struct SheetAgreement: Sendable {
    let amount: MinorUnits
    let orderToken: String
}

/// Why an authorized payment is not sent.
enum SheetChangeFailure: Error {
    /// The app has not agreed to the last change in the sheet, or the sheet does not show the new total yet.
    case notAgreed
}
