import PayrelayPrimitives
import Testing

@testable import OutboundHTTP

@Suite struct SendOnceTests {
    @Test("A request begins again only as long as no byte of its body has left")
    func beginsAgainOnlyBeforeTheBodyLeaves() {
        var sending = SendOnce(hasBody: true)
        let begins = [sending.begin(), sending.begin()]
        sending.bodyLeaves()
        let beginsAgain = sending.begin()
        #expect(begins == [true, true])
        #expect(!beginsAgain)
    }

    @Test("A request without a body begins once")
    func aRequestWithoutABodyBeginsOnce() {
        var sending = SendOnce(hasBody: false)
        let begins = [sending.begin(), sending.begin()]
        #expect(begins == [true, false])
    }

    @Test(
        "A failure is \"not sent\" before the request can have arrived, and \"unknown\" from then on",
        arguments: [true, false])
    func aFailureSaysWhetherTheRequestCanHaveArrived(hasBody: Bool) {
        var sending = SendOnce(hasBody: hasBody)
        #expect(sending.failure("x") == Failure.notSent(reason: "x"))
        let begins = sending.begin()
        #expect(begins)
        #expect(sending.failure("x") == (hasBody ? Failure.notSent(reason: "x") : .unknown(reason: "x")))
        sending.bodyLeaves()
        #expect(sending.failure("x") == Failure.unknown(reason: "x"))
        let beginsAgain = sending.begin()
        #expect(!beginsAgain)
        #expect(sending.failure("x") == Failure.unknown(reason: "x"))
    }
}
