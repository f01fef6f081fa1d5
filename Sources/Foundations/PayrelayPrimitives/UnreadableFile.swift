#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why a file cannot be read, in words for operators. The same words are used for files of settings and of
/// commands. Foundation's own messages repeat the file name several times.
package struct UnreadableFile: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }

    package init(errno: Int32) {
        description =
            switch errno {
            case ENOENT: "there is no such file"
            case EACCES: "the file may not be read"
            case EISDIR: "it is a directory"
            default: "the file cannot be read"
            }
    }

    /// - Parameter error: an error of Foundation.
    package init(_ error: any Error) {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: self.init(errno: ENOENT)
        case .fileReadNoPermission: self.init(errno: EACCES)
        case .fileReadCorruptFile, .fileReadInapplicableStringEncoding: self.init(description: "the file is not UTF-8")
        default: self.init(description: "the file cannot be read")
        }
    }
}
