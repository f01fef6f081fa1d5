import Foundation
import Testing

@testable import PaymentRelay

@Suite struct OperatorRequestTests {
    private func entry(_ identifier: String?) -> HistoryEntry {
        HistoryEntry(at: Date(timeIntervalSince1970: 0), state: .captured, requestIdentifier: identifier)
    }

    @Test func theHistoryHasTheOperatorBeforeTheRequest() {
        let request = OperatorRequest(operatorName: "sara", identifier: "4f1c")
        #expect(request.recorded == "operator sara 4f1c")
        #expect(entry(request.recorded).operatorRequest == request)
    }

    @Test(
        "nothing else is an operator's",
        arguments: [
            nil, "", "4f1c", "operator", "operator sara", "operator-sara-4f1c", "operator sara 4f1c x",
            " operator sara",
        ])
    func nothingElseIsAnOperators(identifier: String?) {
        #expect(entry(identifier).operatorRequest == nil)
    }
}
