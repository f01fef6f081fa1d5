import Testing

/// Runs the package's tests. Without this file SwiftPM would look for tests of XCTest, of which there are none, and would need an index
/// of all sources for it.
@main
struct Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
