/// Why a text is not the one certificate in PEM that it should be.
public struct PEMError: Error, Equatable, CustomStringConvertible {
    public let description: String
}
