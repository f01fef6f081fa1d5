extension Certificate {
    /// What kind of key it is for, by name where it is one that Apple uses, else in dotted form.
    public var keyKind: String {
        switch keyAlgorithm {
        case ObjectIdentifiers.ecPublicKey: "elliptic curve"
        case ObjectIdentifiers.rsaEncryption: "RSA"
        default: keyAlgorithm
        }
    }

    /// Apple's marker on it, by what it marks; nil where it has none.
    public var marker: String? {
        if extensions.contains(ObjectIdentifiers.leafMarker) { return "leaf" }
        if extensions.contains(ObjectIdentifiers.intermediateMarker) { return "intermediate" }
        return nil
    }
}
