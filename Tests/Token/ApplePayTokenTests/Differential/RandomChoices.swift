import TestPrograms

extension SeededGenerator {
    /// True once in so many times.
    mutating func once(in times: Int) -> Bool {
        Int.random(in: 0..<times, using: &self) == 0
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        // The choices are written out where this is called, and there are always some.
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }
}
