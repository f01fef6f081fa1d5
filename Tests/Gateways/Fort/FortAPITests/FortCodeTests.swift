import Testing

@testable import FortAPI

struct FortCodeTests {
    /// A table of codes from APS's documentation and plugins, with the columns kind, code, text and our reading.
    static let table = "reference/fort-codes.tsv"

    private func meaning(_ code: String) -> FortCode.Class? { FortCode(code)?.class }

    @Test(.enabled(if: Shared.has(table)))
    func listsEveryStatusAndMessage() throws {
        let rows = try Shared.lines(Self.table).map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        for (kind, ours) in [("status", FortCode.statuses), ("message", FortCode.messages)] {
            let theirs = rows.filter { $0[0] == kind }.map { (String($0[1]), String($0[2])) }
            #expect(Dictionary(uniqueKeysWithValues: theirs) == ours)
        }
    }

    @Test(.enabled(if: Shared.has(table)))
    func listsEveryMeaningOfEveryAcquirerCode() throws {
        let rows = try Shared.lines(Self.table).map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let theirs = Dictionary(grouping: rows.filter { $0[0] == "acquirer" }) { String($0[1]) }
        #expect(Set(theirs.keys) == Set(FortCodeEntry.ofAcquirers.map(\.code)))
        for (code, rows) in theirs {
            // Some texts occur twice in the table, in two spellings.
            let ours = FortCodeEntry(acquirerCode: code)?.texts.map { $0.lowercased() } ?? []
            #expect(Set(rows.map { $0[2].lowercased() }) == Set(ours), "\(code)")
            #expect(Set(ours).count == ours.count, "\(code)")
        }
    }

    @Test(.enabled(if: Shared.has(table)))
    func readsEveryResponseCodeOfTheTableAsItDoes() throws {
        let rows = try Shared.lines(Self.table).map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let readings: [String: FortCode.Class] = [
            "signature": .signature, "config_error": .configuration, "declined": .declined, "cancelled": .declined,
            "uncertain": .uncertain, "not_found": .notFound, "action_required": .uncertain, "fraud_config": .uncertain,
        ]
        for row in rows where row[0] == "response" && row[3] != "success" {
            let code = try #require(FortCode(String(row[1])))
            #expect(code.class == readings[String(row[3])], "\(code)")
        }
    }

    @Test func isSuccessForNoOtherPaymentCode() {
        let successes = (0...99_999).compactMap { number -> String? in
            let digits = String(number)
            let code = String(repeating: "0", count: 5 - digits.count) + digits
            return meaning(code) == .success ? code : nil
        }
        #expect(successes == ["02000", "04000", "06000", "08000", "12000", "14000", "22000"])
        for command in FortCommand.allCases { #expect(successes.contains(command.successCode.description)) }
        #expect(Set(FortCommand.allCases.map(\.successCode)).count == FortCommand.allCases.count)
        #expect(FortCommand.purchase.successCode.description == "14000")
        #expect(FortCommand.authorization.successCode.description == "02000")
    }

    @Test(arguments: ["01", "10", "15", "19", "20", "40", "16", "99", "25"])
    func isUncertainOrNotFoundWithAnUndecidedOrUnknownStatus(status: String) {
        for message in FortCode.messages.keys {
            #expect(meaning(status + message) == .uncertain)
        }
    }

    /// The codes for which APS's plugins put an order on hold, except those with status 12.
    @Test(arguments: [
        "15777", "15778", "15779", "15780", "15781", "00006", "01006", "02006", "03006", "04006", "05006", "06006",
        "07006", "08006", "09006", "11006", "17006", "13006", "20064", "13051", "13071", "13777", "20000", "10078",
    ])
    func onHoldAndPendingAreUncertain(code: String) {
        #expect(meaning(code) == .uncertain)
    }

    @Test(arguments: [
        ("13666", FortCode.Class.declined), ("03666", .declined), ("13029", .declined), ("00072", .declined),
        ("13044", .declined), ("00007", .duplicate), ("13007", .duplicate), ("03066", .duplicate),
        ("13047", .duplicate),
        ("00784", .duplicate), ("12036", .notFound), ("00008", .signature), ("00009", .configuration),
        ("00010", .configuration), ("00040", .configuration), ("00049", .configuration), ("00001", .request),
        ("00002", .request), ("00032", .request), ("00044", .request), ("00110", .request), ("13102", .token),
        ("00099", .token), ("05048", .notAllowed), ("00042", .notAllowed), ("13078", .configuration),
    ])
    func classifiesTheDocumentedCodes(code: String, expected: FortCode.Class) {
        #expect(meaning(code) == expected)
    }

    @Test(arguments: ["13999", "00500", "14666", "02007", "99999", "14001", "13000", "00000"])
    func anUnknownOrContradictoryCodeIsUncertain(code: String) {
        #expect(meaning(code) == .uncertain)
    }

    @Test(arguments: ["", "1400", "140000", "14 00", "1400a", "١٤٠٠٠", "-1400", "14000 "])
    func isFiveDigits(text: String) {
        #expect(FortCode(text) == nil)
    }

    @Test func hasTheTextsOfTheDocumentation() {
        let code = FortCode("13666")
        #expect(code?.statusText == "Purchase Failure.")
        #expect(code?.messageText == "Transaction declined.")
        #expect(FortCode("98998")?.statusText == nil)
    }

    /// A failed status does not show a transaction's state: it may be that of 13777, "processed, but failed to receive
    /// confirmation".
    @Test func readsATransactionsStateByASuccessfulStatusAlone() {
        let known = FortCode.statuses.keys.map { ($0, TransactionState(status: $0)) }.filter { $0.1 != .unsettled }
        #expect(
            Dictionary(uniqueKeysWithValues: known) == [
                "02": .authorized, "14": .captured, "04": .captured, "06": .refunded, "08": .voided,
            ])
        #expect(TransactionState(status: "") == .unsettled)
    }

    @Test("The class and the transaction state agree for all 100,000 codes")
    func classAndTransactionStateAgree() throws {
        let done: [String: TransactionState] = [
            "02000": .authorized, "14000": .captured, "04000": .captured, "06000": .refunded, "08000": .voided,
        ]
        // A failed capture, refund, void, query or SDK token does not tell the outcome of the charge.
        let saysNothingOfTheCharge: Set = ["05", "07", "09", "11", "21"]
        for number in 0...99_999 {
            let digits = String(number)
            let text = String(repeating: "0", count: 5 - digits.count) + digits
            let code = try #require(FortCode(text))
            let expected: TransactionState =
                if let state = done[text] {
                    state
                } else {
                    switch code.class {
                    case .declined, .signature, .configuration, .request, .token, .notAllowed:
                        saysNothingOfTheCharge.contains(code.status) ? .unsettled : .failed
                    case .success, .duplicate, .uncertain, .notFound: .unsettled
                    }
                }
            #expect(TransactionState(code) == expected, "\(text)")
            #expect(TransactionState(status: code.status, code: text) == expected, "\(text)")
            // The status by itself says less than the code, and never something else.
            let alone = TransactionState(status: code.status)
            #expect(alone == .unsettled || expected == .unsettled || alone == expected, "\(text)")
        }
    }

    /// The status says that the request failed, and the message that something was done. FORT's documentation does not explain
    /// this contradiction.
    @Test(arguments: ["13035", "00035", "13011", "03062", "13125", "13147", "00138"])
    func aFailureWhoseMessageSpeaksOfSomethingDoneIsUncertain(code: String) {
        #expect(meaning(code) == .uncertain)
    }

    @Test func hasAdviceForEveryCodeThatTheMerchantCanActOn() {
        for message in FortCode.messages.keys {
            let reading = FortCode(status: "00", message: message).class
            if [.configuration, .signature, .token].contains(reading) {
                #expect(FortCodeEntry(message)?.advice != nil, "\(message)")
            }
        }
        #expect(FortCode("00008")?.advice?.contains("phrase") == true)
        #expect(FortCode("13666")?.advice == nil)
    }

    @Test func findsAnEntryByTheLengthOfItsCode() {
        let response = FortCodeEntry("00008")
        #expect(response?.kind == .response)
        #expect(response?.texts == ["Invalid Request.", "Signature mismatch."])
        #expect(response?.class == .signature)
        #expect(FortCodeEntry("13")?.kind == .status)
        #expect(FortCodeEntry("13")?.class == nil)
        #expect(FortCodeEntry("14")?.class == .success)
        #expect(FortCodeEntry("20")?.class == .uncertain)
        #expect(FortCodeEntry("666")?.class == .declined)
        #expect(FortCodeEntry("040")?.advice == FortCode("00040")?.advice)
        #expect(FortCodeEntry(acquirerCode: "51")?.texts == ["Insufficient funds"])
        #expect(FortCodeEntry(acquirerCode: "51")?.class == nil)
    }

    @Test(arguments: ["", "1", "99", "999", "0008", "14999", "99000", "000080", "0000a"])
    func findsNoEntryForAnUnknownCode(code: String) {
        #expect(FortCodeEntry(code) == nil)
        #expect(FortCodeEntry(acquirerCode: code + "x") == nil)
    }

    @Test func listsEveryCodeOnce() {
        #expect(FortCodeEntry.all.map(\.code).count == FortCode.statuses.count + FortCode.messages.count)
        #expect(Set(FortCodeEntry.all).count == FortCodeEntry.all.count)
        for entries in [FortCodeEntry.statuses, FortCodeEntry.messages, FortCodeEntry.ofAcquirers] {
            #expect(entries.map(\.code) == entries.map(\.code).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }
}
