import PayrelayPrimitives

extension PortmoneBill {
    /// Returns the answer to an operation that was carried out, in the spelling of these methods. Every value is
    /// a string.
    func answer(to kind: PortmoneOperation.Kind) -> JSON {
        let latest = kind == .return ? returns.last : nil
        let status = latest == nil ? status : .returned
        var members: [(String, String)] = [
            ("shop_bill_id", latest?.shopBillId ?? shopBillId), ("shop_order_number", shopOrderNumber),
            ("description", echoed["description"] ?? ""), ("bill_date", createdAt.portmoneDay),
            ("pay_date", paid > 0 ? (latest?.date ?? createdAt).portmoneMoment : ""), ("pay_order_date", ""),
            ("bill_amount", written(latest.map { -$0.amount } ?? billAmount)), ("auth_code", authCode),
            ("status", status.rawValue), ("attribute1", echoed["attribute1"] ?? ""),
            ("attribute2", echoed["attribute2"] ?? ""),
        ]
        if kind == .rejectPreauth {
            members += [
                ("bank_id", "1"), ("terminal_id", "SANDBOX1"), ("merchant_id", "SANDBOX"), ("rrn", "400\(shopBillId)"),
                ("commission", "0"),
            ]
        }
        members += [("error_code", "0"), ("error_message", "")]
        let object = JSON.object(JSONObject(members.map { ($0.0, .string($0.1)) }))
        // Published clients accept an object and an array. The sandbox uses both forms, so that its clients must
        // accept both.
        return kind == .confirmPreauth ? [object] : object
    }
}

extension GatewayError {
    /// Returns the answer to a request that is not carried out, in the spelling of its method.
    func answer(to method: GatewayMethod?) -> JSON {
        switch method {
        case .confirmPreauth, .rejectPreauth, .return, .closeInvoice:
            ["error_code": .string(code), "error_message": .string(text)]
        case .aPay, .result, .createLinkPayment, nil:
            ["errorCode": .string(code), "error": .string(text)]
        }
    }
}
