import PayrelayPrimitives

extension PortmoneBill {
    /// The answer to the `APay` that created the bill. Every value is a string.
    var chargeAnswer: JSON {
        let mustShow3DS = status == .created
        var members: [(String, String)] = [
            ("status", status.rawValue), ("errorCode", decline?.rawValue ?? "0"), ("error", decline?.text ?? ""),
            ("shopBillId", shopBillId), ("billAmount", written(amount)), ("billNumber", shopOrderNumber),
        ]
        members += (1...4).map { ("attribute\($0)", echoed["attribute\($0)"] ?? "") }
        members += [
            ("cardMask", cardMask),
            ("actionMPI", mustShow3DS ? "https://portmone.invalid/acs" : ""),
            ("pareq", mustShow3DS ? "PAREQ\(shopBillId)" : ""), ("authCode", authCode),
            ("description", echoed["description"] ?? ""), ("lang", echoed["lang"] ?? "uk"),
            ("md", mustShow3DS ? "MD\(shopBillId)" : ""), ("isNeed3DS", mustShow3DS ? "Y" : "N"), ("token", ""),
            ("billCurrency", currency.code), ("transactionId", isCharged ? "T\(shopBillId)" : ""),
            ("pdfUrl", isCharged ? "https://portmone.invalid/receipts/\(shopBillId).pdf" : ""), ("shop_site_id", ""),
        ]
        return .object(JSONObject(members.map { ($0.0, .string($0.1)) }))
    }

    /// Returns an amount of the bill in major units, with all decimals.
    func written(_ amount: Int) -> String { DecimalAmount.write(amount, exponent: currency.exponent) }

    var authCode: String { isCharged ? "S\(shopBillId.utf8.suffix(5).map { String(UnicodeScalar($0)) }.joined())" : "" }

    /// The masked card number. The sandbox's cards are not real cards.
    var cardMask: String {
        switch cardNetwork.lowercasedASCII {
        case "mastercard": "555555******4444"
        case "amex": "378282*****0005"
        default: "411111******1111"
        }
    }

    /// The retrieval reference number of twelve digits; empty if the bill was not charged.
    var retrievalReference: String { isCharged ? "400\(shopBillId)" : "" }
}
