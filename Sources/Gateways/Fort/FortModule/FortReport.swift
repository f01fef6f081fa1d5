import FortAPI
public import GatewayModule

extension FortModule {
    /// Returns the outcome for FORT's `status` (two digits) or `response_code` (five digits) in a report; `nil`
    /// if it decides nothing. A report changes no payment, so a failure status counts without the message that
    /// would give the reason.
    public static func reportedOutcome(_ status: String) -> ReportedOutcome? {
        if status.utf8.count == 2 { return ReportedOutcome(FortStatus(status)) }
        guard let code = FortCode(status), code.class == .success || code.class.provesNoMoneyMoved else { return nil }
        return ReportedOutcome(FortStatus(code.status))
    }
}

extension ReportedOutcome {
    fileprivate init?(_ status: FortStatus) {
        switch status {
        case .done(.authorization): self = .succeeded(.authorization)
        case .done(.purchase): self = .succeeded(.purchase)
        case .done(.capture): self = .succeeded(.capture)
        case .done(.voidAuthorization): self = .succeeded(.voidAuthorization)
        case .done(.refund): self = .succeeded(.refund)
        case .chargeFailed, .walletFailed: self = .failed(ofCharge: true)
        case .operationFailed: self = .failed(ofCharge: false)
        case .requestInvalid: self = .failed(ofCharge: nil)
        case .done(.checkStatus), .done(.sdkToken), .queryFailed, .undecided: return nil
        }
    }
}
