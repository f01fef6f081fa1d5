import FoundationEssentials

extension String {
    /// The text of a file that a setting names.
    ///
    /// - Throws: ``UnreadableFile``.
    init(ofFile path: String) throws(UnreadableFile) {
        do {
            self = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw UnreadableFile(error)
        }
    }
}

/// Why a file has no text to offer, in the operator's words: Foundation's own names it three times over.
struct UnreadableFile: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ error: any Error) {
        description =
            switch (error as? CocoaError)?.code {
            case .fileReadNoSuchFile: "there is no such file"
            case .fileReadNoPermission: "the file may not be read"
            case .fileReadCorruptFile: "the file is not UTF-8"
            default: "the file cannot be read"
            }
    }
}
