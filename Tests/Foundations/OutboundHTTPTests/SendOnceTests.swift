import PayrelayPrimitives
import Testing

@testable import OutboundHTTP

@Suite struct SendOnceTests {
    @Test("A request begins once")
    func beginsOnce() {
        var sending = SendOnce()
        let begins = [sending.begin(), sending.begin(), sending.begin()]
        #expect(begins == [true, false, false])
    }

    @Test("A failure is \"not sent\" before the request begins, and \"unknown\" from then on")
    func aFailureSaysWhetherTheRequestCanHaveArrived() {
        var sending = SendOnce()
        #expect(sending.failure("x") == Failure.notSent(reason: "x"))
        let begins = [sending.begin(), sending.begin()]
        #expect(begins == [true, false])
        #expect(sending.failure("x") == Failure.unknown(reason: "x"))
    }
}
