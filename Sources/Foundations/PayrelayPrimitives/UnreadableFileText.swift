#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why a file that a setting names cannot be read, in the operator's words.
package enum UnreadableFileText {
    package static let absent = "there is no such file"
    package static let forbidden = "the file may not be read"
    package static let other = "the file cannot be read"

    package static func of(errno: Int32) -> String {
        switch errno {
        case ENOENT: absent
        case EACCES: forbidden
        default: other
        }
    }
}
