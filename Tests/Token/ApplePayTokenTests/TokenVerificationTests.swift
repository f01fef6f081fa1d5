import Testing

@testable import ApplePayToken

/// The rules by which a list of checks makes a verification valid.
@Suite struct TokenVerificationTests {
    private func isValid(_ verdict: (CheckName) -> Check.Verdict?) -> Bool {
        let checks = CheckName.allCases.compactMap { name in
            verdict(name).map { Check(name: name, verdict: $0, detail: "") }
        }
        return TokenVerification(checks: checks, signingTime: nil, certificates: [], path: nil)
            .isValid
    }

    @Test func everyCheckPassedIsValid() {
        #expect(isValid { _ in .passed })
    }

    @Test func onlyAnOptionalCheckMayBeLeftOut() {
        for unasked in CheckName.allCases {
            #expect(isValid { $0 == unasked ? .notAsked : .passed } == unasked.isOptional)
        }
    }

    @Test(arguments: [.failed, .skipped, nil] as [Check.Verdict?])
    func aCheckThatFailedOrWasNotReachedOrIsNotThereIsNeverValid(verdict: Check.Verdict?) {
        for name in CheckName.allCases {
            #expect(!isValid { $0 == name ? verdict : .passed })
        }
        #expect(!isValid { _ in verdict })
    }
}
