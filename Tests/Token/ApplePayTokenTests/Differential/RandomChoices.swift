import TestPrograms

extension SeededGenerator {
    /// Returns `true` once in the given number of times, on average.
    mutating func once(in times: Int) -> Bool {
        Int.random(in: 0..<times, using: &self) == 0
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        // Safe: the caller writes the choices out, and there is at least one.
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }
}
