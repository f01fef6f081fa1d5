import Testing

/// The program that runs the package's tests. Without this file SwiftPM would look for XCTest tests, of which there are none,
/// and would need an index of all sources to do so.
@main
struct Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
