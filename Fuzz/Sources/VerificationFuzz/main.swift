import CLibFuzzer
import Foundation

// Arguments are libFuzzer's. Where the first is a folder without files, two valid inputs are put there to start from.
let differential = try Differential()
if let path = CommandLine.arguments.dropFirst().first, !path.hasPrefix("-") {
    let corpus = URL(filePath: path)
    try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
    if try FileManager.default.contentsOfDirectory(atPath: path).isEmpty {
        for (number, seed) in differential.seeds.enumerated() {
            try Data(seed).write(to: corpus.appending(path: "seed-\(number)"))
        }
    }
}

var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
let status = withUnsafeMutablePointer(to: &arguments) { arguments in
    arguments.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self, capacity: 1) {
        arguments in
        LLVMFuzzerRunDriver(&argumentCount, arguments) { data, size in
            // An input that makes no token at all, such as one without a signature, is not interesting: -1 says so.
            do {
                try differential.run(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            } catch {
                return -1
            }
        }
    }
}
exit(status)
