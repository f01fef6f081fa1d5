public import PayrelayPrimitives

/// Portmone's `confirmPreauth`: captures money that is held, all or part of it. Portmone's plugins name either
/// the order or the bill; this request names both.
public struct ConfirmPreauthRequest: PortmoneRequest {
    public let shopOrderNumber: String
    /// Portmone's number of the bill; `nil` if it is not known.
    public let shopBillID: String?
    public let amount: MinorUnits
    public let currency: Currency

    /// - Parameter amount: the amount to capture, in minor units of the currency.
    public init(shopOrderNumber: String, shopBillID: String?, amount: MinorUnits, currency: Currency) {
        self.shopOrderNumber = shopOrderNumber
        self.shopBillID = shopBillID
        self.amount = amount
        self.currency = currency
    }

    public var method: PortmoneMethod { .confirmPreauth }

    public func data(for account: PortmoneAccount) -> JSONObject {
        var data = JSONObject(account.credentials + [BillName.order(shopOrderNumber).member])
        data["shopbillId"] = shopBillID.map { .string($0) }
        data["postauthAmount"] = JSON(amount, in: currency)
        return data
    }
}

/// Portmone's `rejectPreauth`: releases money that is held. Portmone's plugin names the bill.
public struct RejectPreauthRequest: PortmoneRequest {
    public let bill: BillName

    public init(_ bill: BillName) {
        self.bill = bill
    }

    public var method: PortmoneMethod { .rejectPreauth }

    public func data(for account: PortmoneAccount) -> JSONObject {
        JSONObject(account.credentials + [bill.member])
    }
}

/// Portmone's `return`: gives money back, all or part of it.
public struct ReturnRequest: PortmoneRequest {
    public let bill: BillName
    public let amount: MinorUnits
    public let currency: Currency
    /// The reason for the return; `nil` for no reason.
    public let message: String?

    /// - Parameter amount: the amount to give back, in minor units of the currency.
    public init(_ bill: BillName, amount: MinorUnits, currency: Currency, message: String? = nil) {
        self.bill = bill
        self.amount = amount
        self.currency = currency
        self.message = message
    }

    public var method: PortmoneMethod { .return }

    public func data(for account: PortmoneAccount) -> JSONObject {
        var data = JSONObject(account.credentials + [bill.member])
        data["returnAmount"] = JSON(amount, in: currency)
        data["message"] = message.map { .string($0) }
        return data
    }
}

/// Portmone's `closeInvoice`: closes an order's unpaid bill. Only third-party clients show this method.
public struct CloseInvoiceRequest: PortmoneRequest {
    public let shopOrderNumber: String

    public init(shopOrderNumber: String) {
        self.shopOrderNumber = shopOrderNumber
    }

    public var method: PortmoneMethod { .closeInvoice }

    public func data(for account: PortmoneAccount) -> JSONObject {
        JSONObject(account.credentials + [BillName.order(shopOrderNumber).member])
    }
}
