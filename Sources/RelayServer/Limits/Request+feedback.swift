import Hummingbird

extension Request {
    /// Whether it is FORT's feedback, or passes for it: who sent it is known once its body has been read.
    var isFeedback: Bool { FeedbackEndpoint.paths.contains(uri.path) }
}
