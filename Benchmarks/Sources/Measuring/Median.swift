/// Returns the middle value, or the higher of the two middle values if the number of values is even.
public func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
