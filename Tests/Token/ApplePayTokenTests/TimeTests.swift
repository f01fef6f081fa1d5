import Foundation
import PayrelayPrimitives
import Testing

@testable import ApplePayToken

@Suite struct TimeTests {
    private func der(_ text: String, tag: UInt8 = 0x17) -> ArraySlice<UInt8> {
        ([0, tag, UInt8(text.utf8.count)] + Array(text.utf8)).dropFirst()
    }

    @Test func agreesWithFoundation() throws {
        for _ in 0..<2000 {
            let moment = Date(timeIntervalSince1970: Double(Int.random(in: 0..<2_524_608_000)))
            let text = moment.formatted(.iso8601).filter(\.isNumber)
            #expect(ASN1Time.date(der("\(text.dropFirst(2))Z")) == moment)
            #expect(ASN1Time.date(der("\(text)Z", tag: 0x18)) == moment)
        }
    }

    @Test func writesATimeAsItIsRead() {
        for year in 1970...9999 {
            for (month, day) in [(1, 1), (2, 28), (3, 1), (12, 31)] {
                let moment = ASN1Time.date(year: year, month: month, day: day, hour: 23, minute: 59, second: 59)
                let digits = moment?.rfc3339.filter(\.isNumber) ?? ""
                #expect(ASN1Time.date(der("\(digits)Z", tag: 0x18)) == moment)
            }
        }
    }

    @Test(arguments: [
        "1702011845Z", "170201184506", "170201184506+0000", "170231184506Z", "171301184506Z", "170201244506Z",
        "170201186006Z", "170201184560Z", "691231235959Z", "17020118450xZ", "170229000000Z", "", "Z",
    ])
    func refusesATextThatIsNotATime(text: String) {
        #expect(ASN1Time.date(der(text)) == nil)
    }

    @Test func knowsLeapYears() {
        #expect(ASN1Time.date(der("200229000000Z")) != nil)
        #expect(ASN1Time.date(der("20000229000000Z", tag: 0x18)) != nil)
        #expect(ASN1Time.date(der("21000229000000Z", tag: 0x18)) == nil)
    }
}
