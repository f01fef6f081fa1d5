/// The middle one; of an even number the higher of the two.
public func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
