import Testing

/// The parser of metrics refuses everything that a scraper refuses.
@Suite struct ExpositionTests {
    private static let good = """
        # HELP a_total Counts.
        # TYPE a_total counter
        a_total{x="1"} 2
        a_total{x="\\\\ \\" \\n"} 3
        # HELP b_seconds Times.
        # TYPE b_seconds histogram
        b_seconds_bucket{le="0.5"} 1
        b_seconds_bucket{le="+Inf"} 3
        b_seconds_sum 4.5
        b_seconds_count 3

        """

    @Test func aWellFormedExpositionIsRead() throws {
        let metrics = try Exposition(Self.good)
        #expect(metrics.value("a_total") == 5 && metrics.value("b_seconds") == 3)
    }

    @Test(arguments: [
        ("b_seconds_count 3\n", "b_seconds_count 3"), ("b_seconds_count 3", "b_seconds_count 4"),
        ("{le=\"+Inf\"} 3", "{le=\"+Inf\"} 0"), ("le=\"+Inf\"", "le=\"1\""), ("a_total{x=\"1\"}", "a_total{y=\"1\"}"),
        ("a_total{x=\"1\"} 2", "a_total{x=\"1\"} two"), ("a_total{x=\"1\"}", "a_total{x=1}"),
        ("a_total{x=\"1\"}", "c_total{x=\"1\"}"), ("counter", "count"), ("# HELP b_seconds", "# HELP a_total"),
        ("\\\\ \\\" \\n", "\\t"), ("\\\\ \\\" \\n", "1"), ("b_seconds_sum 4.5\n", ""),
        ("b_seconds_sum 4.5", "b_seconds_sum -1"),
        ("a_total{x=\"1\"} 2", "a_total{x=\"1\",x=\"2\"} 2"),
    ])
    func aMalformedExpositionIsRefused(part: String, wrong: String) {
        let text = Self.good.replacing(part, with: wrong)
        #expect(text != Self.good)
        #expect(throws: Exposition.Fault.self) { try Exposition(text) }
    }
}
