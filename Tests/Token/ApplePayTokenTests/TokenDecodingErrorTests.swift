import ApplePayToken
import PayrelayPrimitives
import Testing
import TokenMint

@Suite struct TokenDecodingErrorTests {
    private func errorFields(_ json: JSON) -> [String] {
        do {
            _ = try PaymentToken(json: json)
            return []
        } catch TokenDecodingError.invalid(let errors) {
            return errors.map(\.field)
        } catch {
            return ["\(error)"]
        }
    }

    @Test func namesEveryErrorAtOnce() throws {
        let json: JSON = [
            "paymentData": [
                "version": "EC_v2", "data": "not base64", "signature": 7,
                "header": ["publicKeyHash": "AAAA", "transactionId": "abc", "applicationData": "00"],
            ],
            "paymentMethod": ["displayName": 1, "type": "gold"],
        ]
        #expect(
            errorFields(json) == [
                "paymentData.version", "paymentData.data", "paymentData.signature",
                "paymentData.header.publicKeyHash", "paymentData.header.transactionId",
                "paymentData.header.applicationData", "paymentMethod.displayName", "paymentMethod.type",
            ])
    }

    @Test(arguments: ["version", "data", "signature", "header"])
    func namesAMissingField(name: String) throws {
        let json = try Sandbox().honestToken()
        #expect(errorFields(json.replacing("paymentData", name, with: nil)) == ["paymentData.\(name)"])
        #expect(errorFields(json.replacing("paymentData", name, with: .null)) == ["paymentData.\(name)"])
        #expect(errorFields(json.replacing("paymentData", name, with: [])) == ["paymentData.\(name)"])
        #expect(errorFields(json.replacing("paymentData", name, with: "")) == ["paymentData.\(name)"])
    }

    @Test(arguments: ["ephemeralPublicKey", "publicKeyHash", "transactionId"])
    func namesAMissingFieldOfTheHeader(name: String) throws {
        let json = try Sandbox().honestToken()
        for value in [nil, .null, "", 1] as [JSON?] {
            #expect(
                errorFields(json.replacing("paymentData", "header", name, with: value)) == [
                    "paymentData.header.\(name)"
                ])
        }
    }

    @Test func refusesAHeaderOfTheOtherVersion() throws {
        let json = try Sandbox().honestToken()
        let both = json.replacing("paymentData", "header", "wrappedKey", with: "AAAA")
        #expect(errorFields(both) == ["paymentData.header.wrappedKey"])
        #expect(
            errorFields(json.replacing("paymentData", "version", with: "RSA_v1")) == [
                "paymentData.header.wrappedKey", "paymentData.header.ephemeralPublicKey",
            ])
    }

    @Test func refusesAnIdentifierOfAnotherPayment() throws {
        let json = try Sandbox().honestToken()
        #expect(errorFields(json.replacing("transactionIdentifier", with: "00ff")) == ["transactionIdentifier"])
        let lower = json["transactionIdentifier"]?.stringValue?.lowercased() ?? ""
        #expect(errorFields(json.replacing("transactionIdentifier", with: .string(lower))) == [])
    }

    @Test func boundsTheSizes() throws {
        let json = try Sandbox().honestToken()
        let long = JSON.string(String(repeating: "A", count: 65540))
        #expect(errorFields(json.replacing("paymentData", "data", with: long)) == ["paymentData.data"])
        #expect(
            errorFields(json.replacing("paymentMethod", "displayName", with: long)) == ["paymentMethod.displayName"])
    }

    @Test(
        arguments: [.null, 1, [], "x", "!", [:], ["paymentData": 1], ["paymentData": "e30x"], ["token": 1]] as [JSON])
    func refusesATextThatIsNotAToken(json: JSON) {
        #expect(errorFields(json).count == 1)
    }
}
