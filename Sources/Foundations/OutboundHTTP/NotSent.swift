/// The error if a request may not be sent, or if libcurl does not accept it.
struct NotSent: Error {
    let reason: String
}
