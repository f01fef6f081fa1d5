import FoundationEssentials
package import PayrelayPrimitives

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension String {
    /// Reads the text of a file that a setting names.
    ///
    /// - Throws: ``UnreadableFile`` if the file cannot be read.
    package init(ofFile path: String) throws(UnreadableFile) {
        do {
            self = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw UnreadableFile(error)
        }
    }

    /// Reads the text of a regular file of at most `bytesMax` bytes. A pipe is rejected, because reading it could
    /// wait for ever.
    package init(ofFile path: String, bytesMax: Int) throws(UnreadableFile) {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw UnreadableFile(errno: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw UnreadableFile(description: "it is not a regular file")
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: bytesMax + 1) { buffer, count in
            while count <= bytesMax {
                let length = read(file, buffer.baseAddress.map { $0 + count }, bytesMax + 1 - count)
                guard length > 0 else { break }
                count += length
            }
        }
        guard bytes.count <= bytesMax else { throw UnreadableFile(description: "it has more than \(bytesMax) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UnreadableFile(description: "the file is not UTF-8")
        }
        self = text
    }
}
