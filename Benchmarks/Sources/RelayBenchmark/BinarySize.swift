import Foundation
import Measuring
import TestPrograms

/// The size of the binary as the container image has it.
struct BinarySize {
    private let stripped: Int
    private let built: Int

    init(_ program: String) throws {
        progress("size")
        let folder = try TemporaryFolder()
        try shell("docker/strip '\(program)' '\(folder.path("payrelay"))'")
        stripped = try Self.size(folder.path("payrelay"))
        built = try Self.size(program)
    }

    func rows() -> [Row] {
        [
            Row(
                "**size** of the binary, stripped as in the image, against as built", stripped.mebibytes,
                beside: built.mebibytes, ratio: Double(stripped) / Double(built))
        ]
    }

    private static func size(_ path: String) throws -> Int {
        try URL(filePath: path).resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }
}
