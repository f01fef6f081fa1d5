import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let certificateUse: [JournalPromise] = [
        JournalPromise("the last day with a token is kept for each certificate, and an earlier one does not replace it")
        {
            journal async throws in
            #expect(try await journal.certificateUse() == [])
            let (first, second) = (use(1, day: 20_000), use(2, day: 20_003))
            try await journal.recordCertificateUse(first)
            try await journal.recordCertificateUse(second)
            #expect(try await journal.certificateUse() == [second, first])
            try await journal.recordCertificateUse(use(2, day: 20_001))
            try await journal.recordCertificateUse(second)
            #expect(try await journal.certificateUse() == [second, first])
            try await journal.recordCertificateUse(use(1, day: 20_004))
            #expect(try await journal.certificateUse() == [use(1, day: 20_004), second])
        },
        JournalPromise("if many instances record a certificate's use at once, the latest day is kept") {
            journal async throws in
            try await withThrowingTaskGroup { group in
                for day in 0..<20 {
                    group.addTask { try await journal.recordCertificateUse(use(1, day: 20_000 + day)) }
                }
                try await group.waitForAll()
            }
            #expect(try await journal.certificateUse() == [use(1, day: 20_019)])
        },
        JournalPromise("the certificates that were used last are read, up to the limit") {
            journal async throws in
            for number in 0..<CertificateUse.limit + 2 {
                try await journal.recordCertificateUse(use(number, day: 20_000 + number))
            }
            let read = try await journal.certificateUse()
            #expect(read.count == CertificateUse.limit)
            #expect(read.first == use(CertificateUse.limit + 1, day: 20_001 + CertificateUse.limit))
            #expect(read.last == use(2, day: 20_002))
        },
    ]
}

private func use(_ number: Int, day: Int) -> CertificateUse {
    let hash = [UInt8](repeating: 0, count: 30) + [UInt8(number / 256), UInt8(number % 256)]
    // Safe: the date is a day of this century.
    return CertificateUse(
        publicKeyHash: Base64Text(encoding: hash), lastSeen: CalendarDay(daysSince1970: day) ?? CalendarDay(Date()))
}
