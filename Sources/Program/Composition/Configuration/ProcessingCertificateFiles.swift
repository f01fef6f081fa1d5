public import ApplePayToken
import FoundationEssentials
import PayrelayPrimitives
import Settings

/// The files with the merchant's payment processing certificates, and the certificates that were last read from
/// them.
public struct ProcessingCertificateFiles: Sendable {
    /// The certificates, which copies of this value share.
    public let certificates: ProcessingCertificates = []
    private let paths: [String]
    /// The sources of the settings, for errors.
    private let sources: ConfigurationSources

    /// The maximum number of certificates. Each is a series of the metrics and is compared with each token.
    private static let limit = 16

    init(paths: [String], sources: ConfigurationSources) {
        self.paths = paths
        self.sources = sources
    }

    var isEmpty: Bool { paths.isEmpty }

    /// Reads the files. If anything is wrong, the certificates that were read before stay in use.
    ///
    /// - Returns: the number of certificates.
    /// - Throws: ``ConfigurationError`` with every problem.
    @discardableResult
    func reload() throws(ConfigurationError) -> Int {
        var (new, problems): ([ProcessingCertificate], [String]) = ([], [])
        for path in paths {
            do {
                let content = try Data(contentsOf: URL(filePath: path))
                for certificate in try ProcessingCertificate.all(inFile: Array(content))
                where !new.contains(certificate) { new.append(certificate) }
            } catch let error as PEMError {
                problems.append("cannot be used: \(path): \(error)")
            } catch {
                problems.append("cannot be used: \(path): \(UnreadableFile(error))")
            }
        }
        if new.count > Self.limit { problems.append("has more than \(Self.limit) certificates") }
        guard problems.isEmpty else {
            throw ConfigurationError(
                errors: problems.map { SettingError(.tokenProcessingCertificateFiles, sources, $0) })
        }
        certificates.replace(with: new)
        return new.count
    }
}

extension SettingReader {
    mutating func processingCertificates() -> ProcessingCertificateFiles {
        let files = ProcessingCertificateFiles(paths: list(.tokenProcessingCertificateFiles), sources: sources)
        do throws(ConfigurationError) {
            try files.reload()
        } catch {
            add(error.errors)
        }
        return files
    }
}
