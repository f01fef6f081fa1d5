public import ApplePayToken
import FoundationEssentials

/// The files with the merchant's payment processing certificates, and the certificates as last read.
public struct ProcessingCertificateFiles: Sendable {
    /// Shared by copies of this value.
    public let certificates: ProcessingCertificates = []
    private let paths: [String]

    /// How many certificates there may be: each is a series of the metrics, and each token is compared with each.
    private static let limit = 16

    init(paths: [String] = []) {
        self.paths = paths
    }

    var isEmpty: Bool { paths.isEmpty }

    /// Reads the files; what was read before stays where anything is wrong with them.
    ///
    /// - Returns: how many certificates there are now.
    /// - Throws: ``ConfigurationError``, with all that is wrong.
    @discardableResult
    func reload() throws(ConfigurationError) -> Int {
        var (new, errors): ([ProcessingCertificate], [String]) = ([], [])
        let name = Setting.tokenProcessingCertificateFiles.environmentName
        for path in paths {
            do {
                let content = try Data(contentsOf: URL(filePath: path))
                for certificate in try ProcessingCertificate.all(inFile: Array(content))
                where !new.contains(certificate) { new.append(certificate) }
            } catch let error as PEMError {
                errors.append("\(name) cannot be used: \(path): \(error)")
            } catch {
                errors.append("\(name) cannot be used: \(path): the file cannot be read")
            }
        }
        if new.count > Self.limit { errors.append("\(name) has more than \(Self.limit) certificates") }
        guard errors.isEmpty else { throw ConfigurationError(errors: errors) }
        certificates.replace(with: new)
        return new.count
    }
}

extension SettingReader {
    mutating func processingCertificates() -> ProcessingCertificateFiles {
        let files = ProcessingCertificateFiles(paths: paths(.tokenProcessingCertificateFiles))
        do throws(ConfigurationError) {
            try files.reload()
        } catch {
            for error in error.errors { add(error) }
        }
        return files
    }

    /// Paths with commas between them; none where the setting is not set.
    func paths(_ setting: Setting) -> [String] {
        guard let text = text(setting) else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.trimmingPrefix { $0 == " " }) }
    }
}
