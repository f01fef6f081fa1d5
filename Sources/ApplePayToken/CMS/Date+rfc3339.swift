import FoundationEssentials

extension Date {
    /// In UTC to the second, for example `2017-02-01T18:45:06Z`.
    var rfc3339: String {
        formatted(.iso8601)
    }
}
