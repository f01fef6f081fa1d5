import HTTPGuard

extension Problem {
    /// The one place where a request that is refused for where it comes from becomes HTTP.
    init(_ error: RequestSourceError) {
        self =
            switch error {
            case .foreignHost: .foreignHost
            case .crossSite: .crossSite
            }
    }
}
