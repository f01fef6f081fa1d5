import PayrelayPrimitives
import Testing

@testable import FortAPI

struct FortSentencesTests {
    private static let entries = FortCodeEntry.all + FortCodeEntry.ofAcquirers

    /// Every documented status with every documented message, and with some undocumented ones.
    private static let codes = (FortCode.statuses.keys + ["16", "25", "99"]).flatMap { status in
        (FortCode.messages.keys + ["022", "500", "999"]).map { FortCode(status: status, message: $0) }
    }
    private static let openCodes = codes.filter(\.class.isOpen)

    private func sentences(_ code: String) throws -> FortSentences { try #require(FortCode(code)).sentences() }

    // MARK: Every code has them

    @Test("The table names no code that FORT does not document, and a code is looked up to the letter")
    func theTableNamesNoOtherCode() {
        for code in ["", "5", "005", "51 ", "blocked", "٥١"] { #expect(FortCodeEntry(acquirerCode: code) == nil) }
        for code in ["022", "٠٠١", "1", "00 "] { #expect(FortCodeEntry(code) == nil) }
    }

    @Test(
        "Every line of the table of codes has both sentences in both languages",
        .enabled(if: Shared.has(FortCodeTests.table)))
    func everyLineHasThem() throws {
        for line in try Shared.lines(FortCodeTests.table).dropFirst() {
            let row = line.split(separator: "\t", omittingEmptySubsequences: false)
            let code = String(row[1])
            let found =
                row[0] == "acquirer"
                ? FortCodeEntry(acquirerCode: code)?.sentences
                : FortCodeEntry(code)?.sentences ?? FortCode(code)?.sentences()
            let sentences = try #require(found, "\(code)")
            #expect(!sentences.whatHappened.isEmpty, "\(code)")
            for language in FortLanguage.allCases {
                #expect(!sentences.customerSentence(in: language).isEmpty, "\(code)")
            }
        }
    }

    @Test("A message by itself has the sentences of a failed purchase with this message")
    func aMessageAlone() throws {
        for message in FortCode.messages.keys {
            #expect(try FortCodeEntry(message)?.sentences == sentences("13" + message), "\(message)")
        }
    }

    // MARK: What they say

    @Test("Codes with different meanings have different sentences for the operator and the customer")
    func differentMeaningsHaveDifferentSentences() throws {
        let codes = ["13012", "13016", "13029", "13030", "13072", "13102", "13123", "13666", "13785", "00008", "13777"]
        let all = try codes.map(sentences)
        #expect(Set(all.map(\.whatHappened)).count == codes.count)
        for language in FortLanguage.allCases {
            #expect(Set(all.map { $0.customerSentence(in: language) }).count == codes.count)
        }
    }

    @Test("No two situations have the same words for the operator, and no two texts the same words for the customer")
    func noTwoAreTheSame() {
        #expect(Set(FortSituation.allCases.map(\.whatHappened)).count == FortSituation.allCases.count)
        for language in FortLanguage.allCases {
            let texts = FortCustomerText.allCases.map { $0.sentence(in: language) }
            #expect(Set(texts).count == texts.count)
        }
    }

    @Test(
        "If FORT's text is definite, the operator's sentence says it",
        arguments: [
            ("13012", "expired"), ("13029", "enough money"), ("13016", "card number"), ("13030", "3-D Secure"),
            ("13031", "No bank"), ("13057", "for a day"), ("13058", "limit"), ("13123", "too many"),
            ("13785", "fraud check"), ("13079", "fraud rules"), ("13072", "customer canceled"), ("13102", "too old"),
            ("00008", "signature"), ("00009", "merchant identifier"), ("00010", "access code"), ("00040", "address"),
            ("00024", "currency"), ("13050", "our account's limit"), ("15777", "confirmation"), ("13007", "reference"),
        ])
    func definiteTextsAreSaid(code: String, words: String) throws {
        #expect(try sentences(code).whatHappened.contains(words))
    }

    @Test(
        "The sentences of an acquirer's code say its meaning",
        arguments: [
            ("05", "gave no reason"), ("51", "enough money"), ("54", "expired"), ("41", "lost"), ("43", "stolen"),
            ("59", "fraud"), ("91", "could not be reached"), ("61", "limit"), ("01", "speak with the customer"),
            ("55", "PIN"), ("03", "terminal"), ("211", "CVN"),
        ])
    func acquirersTextsAreSaid(code: String, words: String) throws {
        #expect(try #require(FortCodeEntry(acquirerCode: code)).sentences.whatHappened.contains(words))
    }

    @Test("Whatever the merchant can correct is called the merchant's or the account's, and not the customer's")
    func oursIsOurs() throws {
        for code in Self.codes where [.signature, .configuration, .request].contains(code.class) {
            let text = code.sentences().customerText
            // FORT also refuses an unknown saved card, a wrong login or an amount outside a plan's bounds as malformed.
            if code.class == .request, FortCodeEntry(code.message)?.class == nil { continue }
            #expect(
                [
                    .ourSide, .paymentMethod, .captureNotComplete, .refundNotComplete, .voidNotComplete, .checking,
                ].contains(text), "\(code)")
        }
    }

    // MARK: What they must never say

    @Test("The customer's sentences do not accuse, and do not say what only the bank may say")
    func customersAreNotAccused() {
        let english = [
            "fraud", "stolen", "lost", "suspect", "block", "risk", "security rule", "pick up", "illegal", "unusual",
            "blacklist", "restricted", "wrong", "you failed", "incorrect",
        ]
        let arabic = ["احتيال", "مسروق", "مفقود", "مشبوه", "محظور", "خطر", "غير قانوني", "سرقة", "خطأ"]
        for text in FortCustomerText.allCases {
            let (inEnglish, inArabic) = (text.sentence(in: .english).lowercased(), text.sentence(in: .arabic))
            for word in english { #expect(!inEnglish.contains(word), "\(text)") }
            for word in arabic { #expect(!inArabic.contains(word), "\(text)") }
        }
    }

    @Test("Lost, stolen and suspected read for the customer as any decline of the bank")
    func theBanksReasonCannotBeTold() throws {
        let plain = try #require(FortCodeEntry(acquirerCode: "05")).sentences
        for code in ["04", "7", "41", "43", "205", "59", "63"] {
            let sentences = try #require(FortCodeEntry(acquirerCode: code)).sentences
            for language in FortLanguage.allCases {
                #expect(sentences.customerSentence(in: language) == plain.customerSentence(in: language), "\(code)")
            }
        }
    }

    @Test("The customer's sentences are short plain text of their language, without a digit and without our terms")
    func customersSentencesArePlain() {
        for text in FortCustomerText.allCases {
            let english = text.sentence(in: .english)
            let arabic = text.sentence(in: .arabic)
            #expect(english.unicodeScalars.allSatisfy { $0.isASCII && !$0.properties.isDigit }, "\(english)")
            for term in ["FORT", "APS", "acquirer", "token", "relay", "code "] where text != .securityCode {
                #expect(!english.contains(term), "\(english)")
            }
            #expect(
                arabic.unicodeScalars.allSatisfy {
                    (0x0600...0x06FF).contains($0.value) && !$0.properties.isDigit || " .".unicodeScalars.contains($0)
                }, "\(arabic)")
            #expect(arabic.unicodeScalars.contains { (0x0621...0x064A).contains($0.value) })
            for sentence in [english, arabic] {
                #expect((10...130).contains(sentence.unicodeScalars.count), "\(sentence)")
                #expect(sentence.hasSuffix("."))
            }
        }
    }

    @Test("The operator's sentences are short, and name no code")
    func operatorsSentencesAreShort() {
        for code in Self.codes {
            let sentence = code.sentences().whatHappened
            guard (20...230).contains(sentence.utf8.count), sentence.hasSuffix("."),
                !sentence.replacing("3-D", with: "").utf8.contains(
                    where: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            else {
                Issue.record("\(code): \(sentence)")
                continue
            }
        }
        for situation in FortSituation.allCases {
            #expect((20...140).contains(situation.whatHappened.utf8.count), "\(situation)")
        }
    }

    // MARK: Money

    @Test(
        "No code that leaves the outcome open lets the customer pay again, for any command and any acquirer code"
    )
    func anOpenOutcomeAsksToWait() {
        let acquirers: [String?] = [nil, "51", "2996", "SUCCESS"]
        for code in Self.openCodes {
            for acquirer in acquirers {
                for command in [nil, FortCommand.purchase, .authorization, .checkStatus] {
                    let text = code.sentences(answering: command, acquirerCode: acquirer).customerText
                    let saysSo =
                        text.isOpen
                        || command == nil && [.captureNotComplete, .refundNotComplete, .voidNotComplete].contains(text)
                    if !saysSo { Issue.record("\(code), \(command?.rawValue ?? "-"), \(acquirer ?? "-"): \(text)") }
                }
            }
        }
    }

    @Test("Only a success code of the same command tells the customer that something was done")
    func onlyASuccessIsToldAsOne() {
        let done: Set<FortCustomerText> = [.paid, .authorized, .refunded, .voided]
        for code in Self.codes {
            for command in FortCommand.allCases {
                let text = code.sentences(answering: command, acquirerCode: "00").customerText
                if done.contains(text), code != command.successCode { Issue.record("\(code), \(command): \(text)") }
            }
        }
        #expect(FortCode("14000")?.sentences(answering: .purchase).customerText == .paid)
        #expect(FortCode("14000")?.sentences(answering: .authorization).customerText == .checking)
        #expect(FortCode("02000")?.sentences().customerText == .authorized)
        #expect(FortCode("06000")?.sentences(answering: .refund).customerText == .refunded)
    }

    @Test("A failed status alone does not let the customer pay again: its message may leave the outcome open")
    func aFailedStatusAlone() throws {
        for status in ["00", "03", "13", "15", "23", "11"] {
            #expect(try #require(FortCodeEntry(status)).sentences.customerText == .checking, "\(status)")
        }
    }

    @Test("A proven decline does not ask the customer to wait for a result")
    func aDeclineIsNotOpen() {
        for code in Self.codes
        where code.class.provesNoMoneyMoved && !["05", "07", "09", "11", "21"].contains(code.status) {
            if code.sentences().customerText.isOpen { Issue.record("\(code)") }
        }
    }

    @Test("The acquirer's code gives the reason of a decline if FORT's code does not, and nothing else")
    func theAcquirersCodeRefines() throws {
        let declined = try #require(FortCode("13666"))
        let plain = declined.sentences()
        #expect(declined.sentences(acquirerCode: "51").customerText == .insufficientFunds)
        #expect(declined.sentences(acquirerCode: "43").customerText == .bankDeclined)
        #expect(FortCode("13074")?.sentences(acquirerCode: "54").customerText == .cardExpired)
        for silent in ["00", "SUCCESS", "PENDING", "68", "TIMED_OUT", "83", "94", "80", "", "no such code"] {
            #expect(declined.sentences(acquirerCode: silent) == plain, "\(silent)")
        }
        // The acquirer's code 51 does not replace FORT's own reason.
        #expect(FortCode("13012")?.sentences(acquirerCode: "51").customerText == .cardExpired)
        #expect(FortCode("14000")?.sentences(acquirerCode: "51").customerText == .paid)
        #expect(FortCode("15777")?.sentences(acquirerCode: "51").customerText == .checking)
    }

    @Test(
        "A failed capture, refund or void is not reported as a failed payment, and a reason other than the card's is reported"
    )
    func failedOperationsAreNoFailedPayments() throws {
        for message in FortCode.messages.keys {
            for (status, command, text) in [
                ("05", FortCommand.capture, FortCustomerText.captureNotComplete),
                ("07", .refund, .refundNotComplete), ("09", .voidAuthorization, .voidNotComplete),
            ] {
                #expect(FortCode(status + message)?.sentences().customerText == text, "\(status)\(message)")
                #expect(FortCode("00" + message)?.sentences(answering: command).customerText == text, "\(message)")
            }
        }
        let reason = try sentences("07048").whatHappened
        #expect(reason.contains("The refund failed") && reason.contains("captured"))
        #expect(try !sentences("07012").whatHappened.contains("card"))
        #expect(try #require(FortCode("00008")).sentences(answering: .refund).whatHappened.contains("signature"))
    }

    @Test("A failed status query says nothing about the payment")
    func aFailedQuery() throws {
        #expect(try sentences("11666").customerText == .checking)
        #expect(try sentences("11008").whatHappened.contains("signature"))
        #expect(try sentences("12036").customerText == .checking)
    }

    @Test(
        "An undecided status has its own sentence, unless the message says more",
        arguments: [
            ("20000", "holds"), ("40000", "reviews"), ("19000", "not finished"), ("20064", "3-D Secure"),
            ("15000", "something done"), ("15666", "not known"), ("99999", "another service"), ("13999", "not known"),
            ("00500", "not known"),
        ])
    func undecidedStatuses(code: String, words: String) throws {
        #expect(try sentences(code).whatHappened.contains(words))
    }
}

extension FortCode.Class {
    fileprivate var isOpen: Bool { [.uncertain, .duplicate, .notFound].contains(self) }
}

extension Unicode.Scalar.Properties {
    fileprivate var isDigit: Bool { generalCategory == .decimalNumber }
}
