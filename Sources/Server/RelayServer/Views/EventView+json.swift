public import PaymentRelay
public import PayrelayPrimitives

extension EventView {
    /// Returns the event as JSON.
    ///
    /// - Parameter withAnswers: whether the backend's responses are included. They are the merchant's: an error
    ///   page may contain data that clients must not see.
    public func json(withAnswers: Bool) -> JSON {
        var json: JSONObject = ["id": .string(identifier)]
        json["type"] = type.map { .string($0) }
        json["occurred_at"] = .string(occurredAt.rfc3339InMilliseconds)
        json["state"] = .string(state.rawValue)
        json["next_attempt_at"] = nextAt.map { .string($0.rfc3339InMilliseconds) }
        json["attempts"] = JSON(attempts.count)
        json["deliveries"] = .array(attempts.newest.map { $0.json(withAnswer: withAnswers) })
        return .object(json)
    }
}

extension DeliveryAttempt {
    fileprivate func json(withAnswer: Bool) -> JSON {
        var json: JSONObject = [
            "at": .string(at.rfc3339InMilliseconds), "result": .string(result.rawValue),
            "endpoint": .string(endpoint),
        ]
        json["status"] = status.map { JSON($0) }
        json["error"] = error.map { .string($0) }
        json["duration_ms"] = JSON(milliseconds)
        json["next_attempt_at"] = nextAt.map { .string($0.rfc3339InMilliseconds) }
        if withAnswer { json["answer"] = answer.map { .string($0) } }
        return .object(json)
    }
}
