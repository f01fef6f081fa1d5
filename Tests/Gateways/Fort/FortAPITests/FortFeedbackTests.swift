import PayrelayPrimitives
import Testing

@testable import FortAPI

/// Feedback is accepted only if it is signed by the account that its access code names.
struct FortFeedbackTests {
    /// A notification as FORT sends it. Every value is a text, so that a form can carry it.
    private static let notification: JSONObject = [
        "response_code": "14000", "command": "PURCHASE", "merchant_reference": "ORDER-1001", "amount": "10000",
        "currency": "AED", "access_code": "zx0IPmPy5jp1vAz8Kpg7", "merchant_identifier": "CycHZxVj",
        "customer_name": "سارة & Co", "customer_email": "canary+1@example.com", "fort_id": "149295435400084008",
        "card_number": "400555******0001", "expiry_date": "2705", "status": "14", "digital_wallet": "APPLE_PAY",
        "response_message": "Success", "a_field_nobody_modelled": "x", "merchant_extra": "",
    ]

    private func accounts() throws -> FortAccounts {
        let weak = try FortAccount(
            accessCode: "weak", merchantIdentifier: "CycHZxVj", signatureType: .sha256, requestPhrase: Secret("weak"),
            responsePhrase: Secret("weak"))
        return try FortAccounts([
            FortAccounts.Entry(name: "cards", account: weak),
            FortAccounts.Entry(name: "apple", account: try Samples.account()),
        ])
    }

    private func signed(
        _ message: JSONObject = notification, phrase: String = Samples.responsePhrase,
        type: FortSignatureType = .standard
    ) -> JSONObject {
        var message = message
        message["signature"] = .string(FortSignature(of: message, phrase: Secret(phrase), type: type).hexadecimal)
        return message
    }

    private func changed(_ changes: [String: JSON?]) -> JSONObject {
        changes.reduce(into: Self.notification) { $0[$1.key] = $1.value }
    }

    private func form(_ message: JSONObject) -> [UInt8] {
        let pairs = message.members.map { member in
            let value = (member.value.scalarText ?? "").percentEncoded(except: "-_.* ").replacing(" ", with: "+")
            return "\(member.name)=\(value)"
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    private func body(_ message: JSONObject, _ format: FortFeedback.Format) -> [UInt8] {
        format == .form ? form(message) : JSON.object(message).encoded()
    }

    private func feedback(_ message: JSONObject, _ format: FortFeedback.Format = .json) throws -> FortFeedback {
        try FortFeedback(verifying: body(message, format), as: format, of: try accounts())
    }

    @Test func readsTheSameFromAFormAndFromJSON() throws {
        let message = signed()
        let (fromForm, fromJSON) = (try feedback(message, .form), try feedback(message, .json))
        #expect(fromForm == fromJSON)
        #expect(fromForm.account == "apple")
        #expect(fromForm.merchantReference == "ORDER-1001")
        #expect(fromForm.responseCode == FortCommand.purchase.successCode)
        #expect(fromForm.command == .purchase)
        #expect(fromForm.fortID == "149295435400084008")
        #expect(fromForm.class == .success)
        #expect(fromForm["customer_name"] == "سارة & Co")
        #expect(fromForm["merchant_extra"] == nil)
    }

    @Test(.enabled(if: Shared.has(FortSignatureVectorTests.mock) && Shared.python != nil))
    func acceptsAMessageThatAnotherImplementationSigned() throws {
        let program = """
            import json, sys, urllib.parse, fort_mock
            message = json.load(sys.stdin)
            message["signature"] = fort_mock.signature(message, "\(Samples.responsePhrase)", "hmac-sha256")
            sys.stdout.write(urllib.parse.urlencode(message))
            """
        let body = try Shared.run(python: program, input: JSON.object(Self.notification).encoded())
        #expect(try FortFeedback(verifying: body, as: .form, of: try accounts()).class == .success)
    }

    @Test(arguments: [FortFeedback.Format.form, .json])
    func refusesUnsignedMessages(format: FortFeedback.Format) {
        #expect(throws: FortFeedbackError.unsigned) { try feedback(Self.notification, format) }
        #expect(throws: FortFeedbackError.wrongSignature) { try feedback(changed(["signature": ""]), format) }
    }

    @Test(arguments: ["SOMEBODY-ELSE", Samples.requestPhrase, "weak", ""])
    func refusesASignatureOfAnotherPhrase(phrase: String) {
        #expect(throws: FortFeedbackError.wrongSignature) { try feedback(signed(phrase: phrase)) }
    }

    /// The signature covers every field, including fields that this code does not know.
    @Test(arguments: Self.notification.names)
    func refusesAChangeOfAnyField(name: String) {
        for format in [FortFeedback.Format.form, .json] {
            for value in ["another", nil] as [JSON?] {
                var forged = signed()
                forged[name] = value
                #expect(throws: FortFeedbackError.self) { try feedback(forged, format) }
            }
            var forged = signed()
            forged[name + "_2"] = "1"
            #expect(throws: FortFeedbackError.wrongSignature) { try feedback(forged, format) }
        }
    }

    @Test func refusesEveryChangedByte() throws {
        let (body, accounts) = (form(signed()), try accounts())
        let original = try FortFeedback(verifying: body, as: .form, of: accounts)
        for place in body.indices {
            for mask: UInt8 in [0x01, 0x20, 0x80] {
                var forged = body
                forged[place] ^= mask
                let accepted = try? FortFeedback(verifying: forged, as: .form, of: accounts)
                // Hex digits in upper case, in the signature or in an escape, have the same meaning.
                #expect(accepted.map { $0.parameters.unsigned == original.parameters.unsigned } ?? true)
            }
        }
    }

    /// The access code by itself determines the phrase. A message cannot select the account with the weak phrase.
    @Test(arguments: ["zx0IPmPy5jp1vAz8Kpg7", "weak"])
    func verifiesWithThePhraseOfTheAccessCodesAccount(accessCode: String) throws {
        let weak = signed(changed(["access_code": .string(accessCode)]), phrase: "weak", type: .sha256)
        if accessCode == "weak" {
            #expect(try feedback(weak).account == "cards")
        } else {
            #expect(throws: FortFeedbackError.wrongSignature) { try feedback(weak) }
        }
        for wallet in [nil, "APPLE_PAY", "CARD"] as [JSON?] {
            let forged = changed(["access_code": .string(accessCode), "digital_wallet": wallet])
            let phrase = accessCode == "weak" ? Samples.responsePhrase : "weak"
            for type in FortSignatureType.allCases {
                #expect(throws: FortFeedbackError.wrongSignature) {
                    try feedback(signed(forged, phrase: phrase, type: type))
                }
            }
        }
    }

    @Test(arguments: [
        ("access_code", "unknown"), ("access_code", nil), ("access_code", ""), ("merchant_identifier", "another"),
    ])
    func refusesAMessageOfAnUnknownAccount(name: String, value: String?) {
        let message = changed([name: value.map(JSON.string)])
        #expect(throws: FortFeedbackError.unknownAccount) { try feedback(signed(message)) }
    }

    @Test(arguments: ["merchant_reference", "response_code"])
    func refusesAMessageWithoutReferenceOrCode(name: String) {
        for value in [nil, "", ["14000"]] as [JSON?] {
            #expect(throws: FortFeedbackError.incomplete(parameter: name)) {
                try feedback(signed(changed([name: value])))
            }
        }
    }

    @Test func takesAMessageAtItsLimitsAndNotOnePast() throws {
        let free = FortFeedback.parameterLimit - Self.notification.members.count - 1
        let full = (0..<free).reduce(into: Self.notification) { $0["extra_\($1)"] = "x" }
        var over = full
        over["one_more"] = "x"
        for format in [FortFeedback.Format.form, .json] {
            #expect(try feedback(signed(full), format).class == .success)
            #expect(throws: FortFeedbackError.self) { try feedback(signed(over), format) }
            let size = body(signed(changed(["z": ""])), format).count
            let filling = String(repeating: "z", count: FortFeedback.sizeLimit - size)
            #expect(try feedback(signed(changed(["z": .string(filling)])), format).class == .success)
            #expect(throws: FortFeedbackError.tooLarge(limit: FortFeedback.sizeLimit)) {
                try feedback(signed(changed(["z": .string(filling + "z")])), format)
            }
        }
    }

    @Test func refusesUnreadableBodies() throws {
        let accounts = try accounts()
        for (text, format) in [
            ("[]", FortFeedback.Format.json), ("{", .json), ("{\"a\":1,\"a\":1}", .json), ("a", .form),
        ] {
            let error = #expect(throws: FortFeedbackError.self) {
                try FortFeedback(verifying: Array(text.utf8), as: format, of: accounts)
            }
            #expect(error?.isForgery == false)
        }
        let deep = String(repeating: "[", count: 5) + String(repeating: "]", count: 5)
        #expect(throws: FortFeedbackError.self) {
            try FortFeedback(verifying: Array("{\"a\":\(deep)}".utf8), as: .json, of: accounts)
        }
    }

    @Test(arguments: [
        ("PURCHASE", "14000", FortCode.Class.success), ("AUTHORIZATION", "02000", .success),
        ("CAPTURE", "04000", .success),
        ("VOID_AUTHORIZATION", "08000", .success), ("REFUND", "06000", .success), ("PURCHASE", "13666", .declined),
        ("AUTHORIZATION", "03666", .declined), ("CAPTURE", "05666", .declined), ("PURCHASE", "13007", .duplicate),
        ("PURCHASE", "20000", .uncertain), ("AUTHORIZATION", "14000", .uncertain), ("REFUND", "14000", .uncertain),
        ("RECURRING", "14000", .uncertain), ("PURCHASE", "15777", .uncertain),
    ])
    func readsWhatTheMessageSays(command: String, code: String, expected: FortCode.Class) throws {
        let message = changed([
            "command": .string(command), "response_code": .string(code), "status": .string(String(code.prefix(2))),
        ])
        #expect(try feedback(signed(message), .form).class == expected)
    }

    /// FORT's signed text has no separators between its pairs, so a holder of a genuine message can write the same text with
    /// other names. Such a message is only a hint, as a genuine one is. It is logged without its names, which may contain the
    /// customer's data.
    @Test(
        "R16: a genuine message whose text is split into other names is read, and its names are not logged",
        arguments: [
            // The reference loses its last digit to the name that follows it.
            [
                "merchant_reference": "ORDER-100", "order_description": nil, "1payment_option": "VISA",
                "payment_option": nil,
            ],
            ["merchant_reference": "ORDER-10", "01payment_option": "VISA", "payment_option": nil],
            // A value swallows the pairs that follow.
            ["amount": "10000", "authorization_code": nil, "0authorization_code": "123"],
            ["command": "PURCHAS", "Ecurrency": "AED", "currency": nil], ["a.b": "c"], ["": "x"], ["Amount": "1"],
            ["apple_public\u{212A}eyHash": "1"],
        ] as [[String: String?]])
    func readsNamesThatFortCannotHaveSent(changes: [String: String?]) throws {
        var message = changed(["a_field_nobody_modelled": nil])
        for (name, value) in changes { message[name] = value.map { .string($0) } }
        let unknown = try feedback(signed(message), .json).unknownNames
        #expect(unknown == "1 more")
        var unsigned = signed(message)
        unsigned["signature"] = .string(String(repeating: "0", count: 64))
        #expect(throws: FortFeedbackError.wrongSignature) { try feedback(unsigned, .json) }
    }

    @Test(
        "R16: a parameter that APS adds is not a reason to refuse a message, and is logged by its name",
        arguments: ["token_status", "converted_amount", "new_thing", "x", "scheme_id"])
    func takesParametersThatAreAdded(name: String) throws {
        for format in [FortFeedback.Format.form, .json] {
            let read = try feedback(signed(changed(["a_field_nobody_modelled": nil, name: "1"])), format)
            #expect(read.unknownNames == name && read.class == .success)
            // The parameter is signed together with the others.
            #expect(throws: FortFeedbackError.wrongSignature) {
                var forged = signed()
                forged[name] = "1"
                return try feedback(forged, format)
            }
        }
        #expect(try feedback(signed(changed(["a_field_nobody_modelled": nil]))).unknownNames == nil)
    }

    @Test("S9: for any number of unknown names in a message, the log has a few short words")
    func boundsTheNamesInTheLog() throws {
        var message = Self.notification
        for number in 0..<100 { message["word_\(number)"] = "1" }
        message["line\nlevel=error"] = "1"
        message[String(repeating: "a", count: 30_000)] = "1"
        message["سارة"] = "1"
        let shown = try #require(try feedback(signed(message)).unknownNames)
        #expect(shown.utf8.count <= 8 * 42 + 20)
        #expect(shown.hasSuffix(", 96 more") && shown.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }

    @Test("S9: a name that occurs twice is refused", arguments: [FortFeedback.Format.form, .json])
    func refusesANameTwice(format: FortFeedback.Format) throws {
        let text = String(decoding: body(signed(), format), as: UTF8.self)
        let twice = format == .form ? text + "&token_status=1&token_status=2" : text.dropLast() + #","x":1,"x":2}"#
        let error = #expect(throws: FortFeedbackError.self) {
            try FortFeedback(verifying: Array(twice.utf8), as: format, of: try accounts())
        }
        #expect(error?.isForgery == false)
    }

    @Test func aContradictoryMessageIsUncertain() throws {
        let feedback = try feedback(signed(changed(["status": "20"])))
        #expect(feedback.class == .uncertain)
    }

    @Test(arguments: [
        ("application/json", FortFeedback.Format?.some(.json)), ("Application/JSON; charset=UTF-8", .json),
        ("application/x-www-form-urlencoded", .form), ("application/x-www-form-urlencoded ;charset=utf-8", .form),
        ("text/plain", nil), ("", nil), ("application/jsonp", nil),
    ])
    func readsTheFormatFromTheContentType(contentType: String, format: FortFeedback.Format?) {
        #expect(FortFeedback.Format(contentType: contentType) == format)
    }

    @Test func printsNoCustomerData() throws {
        var shown = ""
        dump(try feedback(signed()), to: &shown)
        #expect(shown.contains("14000"))
        for canary in ["canary", "سارة", "400555"] { #expect(!shown.contains(canary)) }
    }
}

extension JSONObject {
    fileprivate var unsigned: JSONObject {
        var object = self
        object["signature"] = nil
        return object
    }
}
