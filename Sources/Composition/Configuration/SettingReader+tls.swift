import HTTPListener

extension SettingReader {
    /// What the public listener speaks TLS with; nil where it does not.
    mutating func tls() -> TLSFiles? {
        let (certificate, key) = (Setting.httpTLSCertificateFile, Setting.httpTLSKeyFile)
        switch (text(certificate), text(key)) {
        case (nil, nil): return nil
        case (let certificateFile?, let keyFile?):
            let files = TLSFiles(certificateFile: certificateFile, keyFile: keyFile)
            do {
                _ = try ListenerCertificate(files)
            } catch {
                add("\(certificate.environmentName) and \(key.environmentName) cannot be used: \(error)")
            }
            return files
        case (_?, nil): add("\(key.environmentName) is missing: \(certificate.environmentName) is set")
        case (nil, _?): add("\(certificate.environmentName) is missing: \(key.environmentName) is set")
        }
        return nil
    }
}
