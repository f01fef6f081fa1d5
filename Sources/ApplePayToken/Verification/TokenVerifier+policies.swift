import Primitives

extension TokenVerifier {
    /// The checks that only the operator or the order can ask for.
    func makePolicyChecks(
        _ list: inout CheckList, on token: PaymentToken, leaf: Certificate?, applicationDataHash: HexText?
    ) {
        list.check(
            .sandboxSigner, asked: sandboxSigners == .refused ? true : nil,
            missing: "not configured: sandbox signers are accepted", given: leaf
        ) { (leaf, _) throws(CheckFailure) in try SandboxSignerCheck.judge(leaf) }
        list.check(
            .publicKeyHash, asked: processingCertificates.isEmpty ? nil : processingCertificates,
            missing: "not configured: no payment processing certificate is named", given: token.header.publicKeyHash
        ) { (hash, certificates) throws(CheckFailure) in try PublicKeyHashCheck.judge(hash, among: certificates) }
        list.check(
            .applicationData, asked: applicationDataHash, missing: "the order has no application_data_hash",
            given: token.header
        ) { (header, expected) throws(CheckFailure) in
            try ApplicationDataCheck.judge(header.applicationData, expected: expected)
        }
    }
}
