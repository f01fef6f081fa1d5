extension OutboundRequest {
    /// Whether requests to this URL are sent at all: it is absolute, and `https`, or plain `http` to a loopback address.
    public static func takes(url: String) -> Bool {
        (try? CurlURL(url)) != nil
    }
}
