/// A request is not one that may be sent, or libcurl does not take it.
struct NotSent: Error {
    let reason: String
}
