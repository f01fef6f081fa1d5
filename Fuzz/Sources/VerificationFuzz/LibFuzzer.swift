import Foundation

// libFuzzer brings its own main and calls these two (https://llvm.org/docs/LibFuzzer.html).

/// Writes valid inputs to start from, if the first argument is a folder that is empty or does not exist.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ argumentCount: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt {
    guard let path = CommandLine.arguments.dropFirst().first, !path.hasPrefix("-") else { return 0 }
    let corpus = URL(filePath: path)
    do {
        try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
        guard try FileManager.default.contentsOfDirectory(atPath: path).isEmpty else { return 0 }
        for (number, seed) in Differential.shared.seeds.enumerated() {
            try Data(seed).write(to: corpus.appending(path: "seed-\(number)"))
        }
    } catch {
        fatalError("no inputs can be written to \(path): \(error)")
    }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do {
        try Differential.shared.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
    } catch {
        // An input that does not make a token, such as an empty signature, is not interesting: -1 says so.
        return -1
    }
}
